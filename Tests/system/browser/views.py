# SPDX-License-Identifier: MIT
"""The page on paper, on a wall, in frames of other sites, with pictures, and with a token."""
import base64
import http.server
import os
import threading
import time

from today import check, text

# A red and black pattern of 2 by 2 pixels.
PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGNgYGD4D8UQCgAf5AP9bIE0/AAAAABJRU5ErkJggg=='
TOKEN = '0123456789abcdef0123456789abcdef'
VISIBLE = '[...document.querySelectorAll("%s")].filter(element => element.checkVisibility()).length'


def look(page, browser, contrast):
    pictures(page, browser)
    columns(page, browser)
    paper(page, browser, contrast)
    wall(page, browser)
    frames(page, browser)
    token(page, browser)


def live(tab, address):
    tab.open(address)
    tab.wait("document.body.classList.contains('live') && document.querySelector('.place')")


def pictures(page, browser):
    tab = browser.tab()
    live(tab, page.address)
    page.push('weather', dict(text='rain', compact=[
        text('Rain'), dict(type='image', png=PICTURE, label='A pattern'),
        dict(type='item', title='A line', png=PICTURE)]))
    tab.wait("document.querySelectorAll('[data-id=\"org.example.weather\"] img').length === 2")
    tab.wait("[...document.querySelectorAll('img')].every(image => image.complete && image.naturalWidth === 2)")
    shown = tab.run("[...document.querySelectorAll('img')].map(image => [image.alt, new URL(image.src).origin === location.origin])")
    check(shown == [['A pattern', True], ['', True]], 'pictures come from the page itself, with words', str(shown))
    trouble = [event['entry']['text'] for event in tab.seen('Log.entryAdded')]
    check(not trouble, 'and the policy lets them', str(trouble))
    tab.close()


def columns(page, browser):
    """Lines of a table stay lines, in a card that has no room for them: cut in a compact one, and together in an expanded one."""
    tab = browser.tab()
    live(tab, page.address)
    table = [text(line + ' ' * 200 + 'end', style='monospace') for line in ('head', 'a', 'b')]
    page.push('weather', dict(text='table', compact=table, expanded=table))
    card = "document.querySelector('[data-id=\"org.example.weather\"]')"
    lines = f"[...{card}.querySelectorAll('p.monospace')]"
    room = f"(body => body.scrollWidth - body.clientWidth)({card}.querySelector('.body'))"
    for mode, scrolls in (('compact', False), ('expanded', True)):
        page.todayctl('expand' if scrolls else 'collapse', 'org.example.weather')
        tab.wait(f"{lines}.length === 3 && !!{card}.matches('.expanded, .expanded *, :has(.expanded)') === {str(scrolls).lower()}")
        heights = tab.run(f"{lines}.map(line => Math.round(line.getBoundingClientRect().height / parseFloat(getComputedStyle(line).lineHeight)))")
        check(heights == [1, 1, 1], f'columns do not wrap, {mode}', str(heights))
        beyond = tab.run(room)
        check((beyond > 200) is scrolls, f'and have room, {mode}', str(beyond))
    page.todayctl('collapse', 'org.example.weather')
    tab.close()


def paper(page, browser, contrast):
    tab = browser.tab()
    tab.size(800, 1000)
    for scheme in ('light', 'dark'):
        tab.features(prefers_color_scheme=scheme)
        live(tab, page.address)
        tab.call('Emulation.setEmulatedMedia', media='print', features=[dict(name='prefers-color-scheme', value=scheme)])
        controls = tab.run(VISIBLE % '.controls, #edit, #connection, .card button')
        check(controls == 0, f'nothing on paper can be pressed, {scheme}', str(controls))
        paper_is = tab.run("getComputedStyle(document.body).backgroundColor")
        check(paper_is == 'rgb(255, 255, 255)', f'paper is white, {scheme}', str(paper_is))
        # A card appears in 0.15 s.
        tab.wait("document.getAnimations().every(one => one.playState === 'finished')")
        poor = tab.run(contrast)
        check(not poor, f'text on paper can be read, {scheme}', str(poor))
        split = tab.run("[...document.querySelectorAll('.place')].every(p => getComputedStyle(p).breakInside === 'avoid')")
        check(split, f'no card is on two sheets, {scheme}')
        tab.call('Emulation.setEmulatedMedia', media='')
    document = base64.b64decode(tab.call('Page.printToPDF')['data'])
    check(document.startswith(b'%PDF') and document.count(b'/Type /Page\n') == 1, 'it is one sheet', str(len(document)))
    tab.close()


def wall(page, browser):
    tab = browser.tab()
    tab.size(1600, 900)
    live(tab, page.address)
    small = tab.run("parseFloat(getComputedStyle(document.querySelector('.card h2')).fontSize)")
    live(tab, page.address + '?kiosk')
    large = tab.run("parseFloat(getComputedStyle(document.querySelector('.card h2')).fontSize)")
    check(large >= small * 1.3, 'a wall has larger text', f'{small}, then {large}')
    controls = tab.run(VISIBLE % '.controls, #edit')
    check(controls == 0, 'and no buttons for cards', str(controls))
    wide = tab.run('document.documentElement.scrollWidth')
    check(wide <= 1600, 'and nothing is wider', str(wide))
    page.push('weather', dict(text='x', compact=[text('on the wall')]))
    tab.wait("document.querySelector('#cards').textContent.includes('on the wall')")
    check(True, 'a wall is live')
    live(tab, page.address + '?widget=org.example.weather&kiosk')
    check(tab.run("document.querySelectorAll('article').length") == 1, 'one card can be on a wall')
    tab.close()


class Dashboard:
    """A site at 127.0.0.1 with a frame, which is another site than localhost."""

    def __init__(self):
        self.target = ''
        dashboard = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = f'<!DOCTYPE html><title>x</title><iframe src="{dashboard.target}"></iframe>'.encode()
                self.send_response(200)
                self.send_header('Content-Type', 'text/html')
                self.send_header('Content-Length', str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.origin = f'http://127.0.0.1:{self.server.server_address[1]}'
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def frame(self, browser, target):
        """A tab with the frame, and the frame as another one."""
        self.target = target
        tab = browser.tab()
        tab.call('Target.setAutoAttach', autoAttach=True, waitForDebuggerOnStart=False, flatten=True)
        tab.open(self.origin)
        end = time.monotonic() + 10
        while not tab.seen('Target.attachedToTarget') and time.monotonic() < end:
            tab.run('1')
            time.sleep(0.05)
        return tab, tab.child(tab.seen('Target.attachedToTarget')[-1]['sessionId'])


def frames(page, browser):
    friend, stranger = Dashboard(), Dashboard()
    _, address = page.serve('--allow-changes', '--frame', friend.origin)
    for target in ('', '?widget=org.example.agenda'):
        tab, frame = friend.frame(browser, address + target)
        frame.wait("document.body.classList.contains('live') && document.querySelector('.place')")
        time.sleep(0.5)  # the stream replaces the cards
        held = frame.run(f"""[!!document.querySelector('meta[name=today-token]'), {VISIBLE % '.controls, #edit'},
            [...document.querySelectorAll('[data-id="org.example.agenda"] button[data-action]')].map(b => b.disabled)]""")
        check(held == [False, 0, [True, True]], f'a card in a frame is read-only, {target or "all"}', str(held))
        page.push('agenda', dict(text='x', compact=[
            dict(type='button', title='✓', action='done 1'), dict(type='button', title='✓', action='done 2'),
            text(f'live {target}')]))
        frame.wait(f"document.querySelector('#cards').textContent.includes('live {target}')")
        check(True, f'and live, {target or "all"}')
        tab.close()
        tab, frame = stranger.frame(browser, address + target)
        time.sleep(0.5)
        shown = frame.run("[location.protocol, !!document.querySelector('.place')]")
        check(shown == ['chrome-error:', False], f'a stranger has an empty frame, {target or "all"}', str(shown))
        tab.close()
    tab = browser.tab()
    live(tab, address + '?widget=org.example.agenda')
    check(tab.run("!!document.querySelector('meta[name=today-token]')"), 'a card by itself can be changed')
    tab.close()
    for dashboard in (friend, stranger):
        dashboard.server.shutdown()


def token(page, browser):
    path = f'{page.root}/token'
    with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), 'w') as file:
        file.write(TOKEN)
    _, address = page.serve('--allow-changes', '--token-file', path)
    tab = browser.tab()
    tab.open(address)
    refused = tab.run("[document.querySelectorAll('article').length, document.body.innerText.includes('needs its token')]")
    check(refused == [0, True], 'without the token there are words and no card', str(refused))
    live(tab, f'{address}?kiosk&token={TOKEN}')
    held = tab.run("[location.search, document.cookie, document.styleSheets.length]")
    check(held == ['?kiosk', '', 1], 'a link lets in, and no script sees the token', str(held))
    live(tab, address)
    page.push('weather', dict(text='x', compact=[text('with a token')]))
    tab.wait("document.querySelector('#cards').textContent.includes('with a token')")
    tab.run("document.querySelector('[data-id=\"org.example.weather\"] [data-change=expand]').click()")
    tab.wait("document.querySelector('[data-id=\"org.example.weather\"] [data-change=collapse]')")
    tab.run("document.querySelector('[data-id=\"org.example.weather\"] [data-change=collapse]').click()")
    tab.wait("document.querySelector('[data-id=\"org.example.weather\"] [data-change=expand]')")
    check(True, 'and its page is live and can change')
    tab.close()
