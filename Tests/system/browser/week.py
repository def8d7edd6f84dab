# SPDX-License-Identifier: MIT
"""A tab that stays open for a week. Its clock is simulated: it sees the time that the test gives it, and its timers are called as
often as in that time. The rest is real: 5,040 changes over todayd's socket, seven restarts of todayd, 70 times that the tab is hidden
and shown, 2,688 other tabs that come and go, and the stream of today-page. The pulses of today-page, one in 20 s, come as often as in
the time that the test takes."""
import json
import socket

from today import PRICES, check, text

CLOCK = r'''(() => {
  const real = Date.now.bind(Date), timers = []
  let ahead = 0
  Date.now = () => real() + ahead
  window.setInterval = (call, each) => { timers.push({ call, each, due: Date.now() + each }); return timers.length }
  window.advance = time => {
    const end = Date.now() + time
    let calls = 0
    for (;;) {
      const next = timers.reduce((one, other) => one.due <= other.due ? one : other)
      if (next.due > end) break
      ahead += Math.max(next.due - Date.now(), 0)
      next.due += next.each
      next.call()
      calls += 1
    }
    ahead += Math.max(end - Date.now(), 0)
    return calls
  }
})()'''
HOUR = 3_600_000
CHANGES = 30


class Pusher:
    def __init__(self, page):
        self.connection = page.connection()
        self.rest = b''

    def push(self, words):
        content = dict(text=words, compact=dict(type='vstack', children=[text(words), dict(type='chart', points=PRICES)]))
        call = dict(method='org.todayd.Today.Push', parameters=dict(id='org.example.weather', content=content))
        self.connection.sendall(json.dumps(call).encode() + b'\0')
        while b'\0' not in self.rest:
            self.rest += self.connection.recv(65536)
        reply, self.rest = self.rest.split(b'\0', 1)
        assert b'"error"' not in reply, reply


def come_and_go(page):
    """A tab of another browser, which sees all cards and is gone."""
    port = int(page.address.rstrip('/').rsplit(':', 1)[1])
    with socket.create_connection(('127.0.0.1', port)) as tab:
        tab.sendall(b'GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n')
        seen = b''
        while b'"whole":true' not in seen:
            seen += tab.recv(65536)


def memory(process):
    """KiB of its own, without files."""
    with open(f'/proc/{process.pid}/status') as file:
        return next(int(line.split()[1]) for line in file if line.startswith('RssAnon'))


def held(tab):
    for _ in range(2):
        tab.call('HeapProfiler.collectGarbage')
    metrics = {metric['name']: metric['value'] for metric in tab.call('Performance.getMetrics')['metrics']}
    return metrics['Nodes'], metrics['JSEventListeners'], metrics['JSHeapUsedSize']


def pass_by(page, browser):
    tab = browser.tab()
    tab.call('Performance.enable')
    tab.call('Page.addScriptToEvaluateOnNewDocument', source=CLOCK)
    tab.open(page.address)
    tab.wait("document.querySelector('.place')")
    calls, first, days = 0, None, []
    for day in range(7):
        pusher = Pusher(page)
        for hour in range(24):
            for change in range(CHANGES):
                pusher.push(f'{day} {hour} {change}')
            tab.wait(f"document.querySelector('#cards').textContent.includes('{day} {hour} {CHANGES - 1}')")
            calls += tab.run(f'advance({HOUR})')
            for _ in range(16):
                come_and_go(page)
            if hour % 12 == 6:
                for _ in range(5):
                    tab.run("dispatchEvent(new Event('pagehide')); dispatchEvent(new Event('pageshow'))")
        pusher.connection.close()
        page.stop_daemon()
        tab.wait("document.getElementById('connection').textContent === 'todayd does not answer'")
        page.start_daemon()
        tab.wait("document.getElementById('connection').textContent === ''", seconds=40)
        days.append((*held(tab), memory(page.server)))
        first = first or days[0]
    check(60_400 <= calls <= 60_600, 'the timer of a tab is called for a week', str(calls))
    ages = tab.run("[...document.querySelectorAll('.age')].map(age => age.textContent)")
    check(any('7 d' in age for age in ages), 'and cards are seven days old', str(ages))
    last = days[-1]
    check(last[0] <= first[0] + 50, 'a tab has no more nodes after a week', str(days))
    check(last[1] <= first[1] + 5, 'and no more listeners', str(days))
    check(last[2] <= first[2] * 1.2 + 300_000, 'and no more memory', str(days))
    # The allocator takes what it needs on the first days, and has some 600 KiB less on a day now and then.
    check(last[3] <= max(day[3] for day in days[:3]) + 256, 'and today-page has no more memory', str(days))
    print(f'# nodes, listeners, bytes of scripts, KiB of today-page: {first}, then {last}')
    tab.close()
