# SPDX-License-Identifier: MIT
"""A headless Chromium, driven over its DevTools protocol on two pipes: JSON messages that end with NUL."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class Browser:
    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix='today-browser-')
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()

        def place_pipes():
            # Above 4 first, so that neither replaces the other.
            commands, replies = os.dup(to_browser), os.dup(from_browser)
            os.dup2(commands, 3)
            os.dup2(replies, 4)

        self.process = subprocess.Popen(
            ['chromium', '--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--remote-debugging-pipe',
             f'--user-data-dir={self.profile}', '--no-first-run', '--disable-background-networking', 'about:blank'],
            preexec_fn=place_pipes, close_fds=False, start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ, HOME=self.profile))
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b''
        self.number = 0
        self.events = []

    def close(self):
        try:
            os.killpg(self.process.pid, 9)
        except ProcessLookupError:
            pass
        self.process.wait()
        os.close(self.input)
        os.close(self.output)
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self, seconds):
        """The next message, or None."""
        end = time.monotonic() + seconds
        while b'\0' not in self.buffer:
            ready, _, _ = select.select([self.input], [], [], max(end - time.monotonic(), 0))
            if not ready:
                return None
            part = os.read(self.input, 1 << 20)
            if not part:
                raise RuntimeError('Chromium has ended')
            self.buffer += part
        message, self.buffer = self.buffer.split(b'\0', 1)
        return json.loads(message)

    def call(self, method, session=None, seconds=30, **parameters):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': parameters}
        if session:
            message['sessionId'] = session
        data = json.dumps(message).encode() + b'\0'
        while data:
            data = data[os.write(self.output, data):]
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            reply = self.receive(end - time.monotonic())
            if reply is None:
                break
            if reply.get('id') == self.number:
                if 'error' in reply:
                    raise RuntimeError(f'{method}: {reply["error"]["message"]}')
                return reply['result']
            self.events.append(reply)
        raise RuntimeError(f'{method}: no reply in {seconds} s')

    def tab(self):
        return Tab(self)


class Tab:
    def __init__(self, browser, session=None):
        self.browser = browser
        if session:
            self.session = session
        else:
            self.target = browser.call('Target.createTarget', url='about:blank')['targetId']
            self.session = browser.call('Target.attachToTarget', targetId=self.target, flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Network', 'Log'):
            self.call(f'{domain}.enable')

    def child(self, session):
        """A frame of another site, which Chromium shows in a process of its own."""
        return Tab(self.browser, session)

    def close(self):
        self.browser.call('Target.closeTarget', targetId=self.target)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def run(self, script):
        """The value of an expression; a promise is awaited."""
        result = self.call('Runtime.evaluate', expression=script, awaitPromise=True, returnByValue=True)
        if 'exceptionDetails' in result:
            raise RuntimeError(json.dumps(result['exceptionDetails'])[:500])
        return result['result'].get('value')

    def wait(self, script, seconds=15):
        """Until an expression is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.run(f'!!({script})'):
                return
            time.sleep(0.1)
        raise RuntimeError(f'never true: {script}')

    def open(self, address):
        self.call('Page.navigate', url=address)
        self.wait('document.readyState === "complete"')

    def size(self, width, height):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=width < 500)

    def features(self, **features):
        self.call('Emulation.setEmulatedMedia',
                  features=[{'name': name.replace('_', '-'), 'value': value} for name, value in features.items()])

    def picture(self, path):
        data = self.call('Page.captureScreenshot', format='png')['data']
        with open(path, 'wb') as file:
            file.write(base64.b64decode(data))

    def seen(self, method):
        """The parameters of all events of this kind since the tab was made."""
        return [event['params'] for event in self.browser.events
                if event.get('sessionId') == self.session and event.get('method') == method]

    def key(self, key, modifiers=0):
        for kind in ('rawKeyDown', 'keyUp'):
            self.call('Input.dispatchKeyEvent', type=kind, key=key, code=key, modifiers=modifiers)

    def mouse(self, kind, x, y, buttons=0):
        self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, buttons=buttons, clickCount=1,
                  button='left' if kind != 'mouseMoved' or buttons else 'none')
