# SPDX-License-Identifier: MIT
"""A private todayd with widgets, a today-page that shows them, and what checks print."""
import json
import os
import re
import socket
import subprocess
import time

PRICES = [61.2, 60.9, 61.8, 62.4, 61.9, 62.8, 63.5, 63.1, 62.6, 63.9, 64.4, 64.1, 65.0, 65.8, 65.2, 64.9, 66.1, 66.8]


def text(words, **more):
    return dict(type='text', text=words, **more)


def disk(name, share, free):
    return [text(name), dict(type='progress', value=share, color='warning' if share > 0.85 else 'accent'), text(free)]


WIDGETS = {
    'agenda': ('Agenda', dict(text='2 due', icon='📅', compact=[
        dict(type='hstack', children=[dict(type='button', title='✓', action='done 1'), text('Call the dentist'),
                                      dict(type='spacer'), text('today', color='warning')]),
        dict(type='hstack', children=[dict(type='button', title='✓', action='done 2'), text('Renew the passport'),
                                      dict(type='spacer'), text('tomorrow', color='secondary')])])),
    'bitcoin': ('Bitcoin', dict(text='66,800 USD', icon='📈', severity='good', compact=[
        text('66,800 USD', style='title'), text('+2.1% since yesterday', color='good'),
        dict(type='chart', points=PRICES, label='18 hours')])),
    'disks': ('Disks', dict(text='/home 91%', icon='💾', severity='warning', compact=[
        dict(type='grid', columns=3, children=disk('/', 0.42, '74G free') + disk('/home', 0.91, '88G free'))])),
    'build': ('Build <main>', dict(text='failed', icon='🔨', severity='critical', compact=[
        text('3 tests fail', weight='bold', color='critical'), text('SocketTests, ReloadTests, CrashTests', style='caption')])),
    'weather': ('Weather', dict(text='12 °C', icon='☀️', compact=[
        text('12 °C', style='title'), text('Sunny until the evening')])),
}

failures = []


def check(holds, what, detail=''):
    print(f'{"ok" if holds else "not ok"} - {what}' + (f': {detail}' if detail and not holds else ''))
    if not holds:
        failures.append(what)


class Page:
    def __init__(self, programs, root, widgets=WIDGETS, prepare=lambda: None):
        self.programs, self.socket = programs, f'{root}/todayd.sock'
        for directory in ('widgets', 'state'):
            os.mkdir(f'{root}/{directory}')
        for name, (title, _) in widgets.items():
            with open(f'{root}/widgets/org.example.{name}.widget', 'w') as file:
                file.write(f'[Widget]\nDisplayName={title}\nLargestDisplayMode=expanded\n[Update]\nProtocol=push\n')
        self.root = root
        prepare()
        self.start_daemon()
        for name in widgets:
            self.push(name, widgets[name][1])
            self.todayctl('move', f'org.example.{name}', 'last')
        self.servers = []
        self.server, self.address = self.serve('--allow-changes')

    def start_daemon(self):
        self.daemon = subprocess.Popen(
            [f'{self.programs}/todayd', '--user', '--socket', self.socket, '--state', f'{self.root}/state',
             '--widgets', f'{self.root}/widgets'],
            env=dict(os.environ, HOME=self.root, XDG_RUNTIME_DIR=self.root, LC_ALL='C.UTF-8'),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while True:
            try:
                self.connection().close()
                return
            except OSError:
                time.sleep(0.02)

    def stop_daemon(self):
        self.daemon.terminate()
        self.daemon.wait()

    def serve(self, *options):
        """Another today-page of the same todayd, and its address."""
        server = subprocess.Popen(
            [f'{self.programs}/today-page', '--socket', self.socket, '--listen', '0', *options],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.servers.append(server)
        return server, re.search(r'http://\S+', server.stderr.readline()).group().replace('127.0.0.1', 'localhost')

    def connection(self):
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(self.socket)
        except OSError:
            connection.close()
            raise
        return connection

    def stop(self):
        for process in [*self.servers, self.daemon]:
            process.terminate()
            process.wait()

    def todayctl(self, *arguments, **more):
        return subprocess.run([f'{self.programs}/todayctl', '--socket', self.socket, *arguments], check=True,
                              capture_output=True, text=True, **more).stdout

    def push(self, name, content):
        content = dict(content)
        if isinstance(content.get('compact'), list):
            content['compact'] = dict(type='vstack', children=content['compact'])
        self.todayctl('push', f'org.example.{name}', '-', input=json.dumps(content))

    def order(self):
        return [widget['id'].split('.')[-1] for widget in json.loads(self.todayctl('list', '--json'))['widgets']]
