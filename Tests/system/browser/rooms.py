# SPDX-License-Identifier: MIT
"""What a widget asks of a host: height, margins, spacers, exact colours, dates of a chart, More, Info with Done and Cancel."""
import json
import os
import time

from today import check, text
from views import live

ROW, COLUMN = 27.5, 6  # pixels at the browser's usual text size, as points on iOS

EDITOR = '''#!/bin/sh
case $TODAY_EDITING in
begin | continue) echo '{"text":"editor","compact":[{"type":"button","title":"More of it","action":"more"}]}' ;;
cancel) echo '{"text":"cancelled"}' ;;
*) echo '{"text":"seen"}' ;;
esac
'''


def card(name):
    return f'''document.querySelector('[data-id="org.example.{name}"]')'''


def look(page, browser):
    tab = browser.tab()
    tab.size(1000, 900)
    live(tab, page.address)
    heights(page, tab)
    resize(page, tab)
    colours(page, tab)
    dates(page, tab)
    trouble = [event['entry']['text'] for event in tab.seen('Log.entryAdded')]
    check(not trouble, 'the policy lets heights, margins and colours be', str(trouble))
    editing(page, browser, tab)
    tab.close()


def shown(page, tab, name, content, mark):
    page.push(name, content)
    tab.wait(f"{card(name)}.textContent.includes('{mark}')")
    time.sleep(0.3)  # the card grows or shrinks


def height(tab, name):
    return tab.run(f"{card(name)}.querySelector('.body').getBoundingClientRect().height")


def near(number, expected):
    return abs(number - expected) < 1.5


# The mask of a card that does not fade: its end is below the card.
ROOM = '100% calc(100% + 24px)'


def heights(page, tab):
    lines = [text(f'line {number}') for number in range(20)]
    shown(page, tab, 'weather', dict(text='x', compact=lines), 'line 19')
    got = height(tab, 'weather')
    check(near(got, 4 * ROW), 'a compact card of 20 lines has the compact height', str(got))
    rest = tab.run(f"(body => body.scrollHeight > body.clientHeight * 4)({card('weather')}.querySelector('.body'))")
    check(rest, 'and scrolls to the rest')
    fades = tab.run(f"""(async body => {{
        const fade = async top => {{
            body.scrollTop = top
            await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
            return getComputedStyle(body).maskSize }}
        return [await fade(0), await fade(body.scrollHeight), await fade(0)] }})({card('weather')}.querySelector('.body'))""")
    check(fades == ['100% 100%', ROOM, '100% 100%'], 'which fades out until it is scrolled to', str(fades))
    shown(page, tab, 'weather', dict(text='x', compact=lines[:2]), 'line 1')
    whole = tab.run(f"getComputedStyle({card('weather')}.querySelector('.body')).maskSize")
    check(whole == ROOM, 'and nothing fades that fits', str(whole))
    tasks = [dict(type='hstack', children=[dict(type='button', title='○', action='done'), text(f'task {number}')])
             for number in range(4)]
    shown(page, tab, 'weather', dict(text='x', compact=tasks), 'task 3')
    beyond = tab.run(f"(body => body.scrollHeight - body.clientHeight)({card('weather')}.querySelector('.body'))")
    check(beyond == 0, 'as four rows with buttons do', str(beyond))
    page.push('weather', dict(text='x', compact=lines, expanded=dict(type='vstack', children=lines)))
    page.todayctl('expand', 'org.example.weather')
    tab.wait(f"{card('weather')}.querySelector('.expanded')")
    time.sleep(0.3)
    got = height(tab, 'weather')
    check(near(got, 16 * ROW), 'an expanded one of 20 lines the expanded height', str(got))
    page.todayctl('collapse', 'org.example.weather')
    shown(page, tab, 'weather', dict(text='x', compact=[text('two rows')], compactRows=2), 'two rows')
    got = height(tab, 'weather')
    check(near(got, 2 * ROW), 'a preferred height is kept', str(got))
    sinks = dict(text='x', compactRows=4, compact=[text('top'), dict(type='spacer'), text('sunk')])
    shown(page, tab, 'weather', sinks, 'sunk')
    gap = tab.run(f"""(([one, , other]) => other.getBoundingClientRect().bottom - one.getBoundingClientRect().top)(
        [...{card('weather')}.querySelector('.view').children])""")
    check(gap > 3.5 * ROW, 'a spacer takes the room that is left', str(gap))
    left = f"{card('weather')}.querySelector('.view p').getBoundingClientRect().left - {card('weather')}.querySelector('h2').parentElement.getBoundingClientRect().left"
    for number, (insets, expected) in enumerate(
            ((None, 0), ({}, 0), (dict(left=2), 0), (dict(left=5, top=1), 3 * COLUMN))):
        content = dict(text='x', compact=[text(f'a text that needs a card, {number}')])
        if insets is not None:
            content['insets'] = insets
        shown(page, tab, 'weather', content, f'a card, {number}')
        got = tab.run(left)
        check(near(got, expected), f'margins of {insets} are kept', str(got))


def resize(page, tab):
    for motion, count in (('no-preference', 1), ('reduce', 0)):
        tab.features(prefers_reduced_motion=motion)
        shown(page, tab, 'weather', dict(text='x', compact=[text('four rows')], compactRows=4), 'four rows')
        tab.run(f'''window.grown = null
          new MutationObserver((_, observer) => {{ observer.disconnect(); requestAnimationFrame(() => {{
            window.grown = {card('weather')}.getAnimations().length }}) }})
            .observe(document.getElementById('cards'), {{ childList: true }})''')
        page.push('weather', dict(text='x', compact=[text('one row')], compactRows=1))
        tab.wait('window.grown !== null')
        check(tab.run('window.grown') == count, f'a change of height has {count} animations, motion: {motion}')
    tab.features(prefers_reduced_motion='no-preference')


def colours(page, tab):
    chart = dict(type='chart', points=[1, 2], color='#2b7dd1')
    shown(page, tab, 'weather', dict(text='x', compact=[text('exact', color='#4291d3'), chart]), 'exact')
    got = tab.run(f"""['p', 'figure'].map(name => getComputedStyle({card('weather')}.querySelector(`.view ${{name}}`)).color)""")
    check(got == ['rgb(66, 145, 211)', 'rgb(43, 125, 209)'], 'exact colours are exact', str(got))


def dates(page, tab):
    noon = 1_731_412_800_000_000  # 12 November 2024
    chart = dict(type='chart', points=[1, 2, 3, 4], dates=[noon + day * 86_400_000_000 for day in range(-3, 1)],
                 texts=['$1.00', '$2.00', '$3.00', '$87,955.81'])
    shown(page, tab, 'weather', dict(text='x', compact=[text('prices'), chart]), 'prices')
    x, y = tab.run(f"""(() => {{ const box = {card('weather')}.querySelector('svg').getBoundingClientRect()
        return [box.right - 2, box.top + 10] }})()""")
    tab.mouse('mouseMoved', x, y)
    got = tab.run("document.querySelector('.reading')?.textContent")
    check(got in ('Nov 12, $87,955.81', '12 Nov, $87,955.81'), 'a point has its date and its words', str(got))


def editing(page, browser, tab):
    with open(os.open(f'{page.root}/editor', os.O_WRONLY | os.O_CREAT, 0o755), 'w') as file:
        file.write(EDITOR)
    with open(f'{page.root}/widgets/org.example.form.widget', 'w') as file:
        file.write(f'[Widget]\nAllowsEditing=yes\n[Update]\nExecStart={page.root}/editor\nProtocol=json\n')

    def press(tab, name, change):
        tab.wait(f"{card(name)}?.querySelector('[data-change={change}]')")
        tab.run(f"{card(name)}.querySelector('[data-change={change}]').click()")

    def state():
        return json.loads(page.todayctl('show', '--json', 'org.example.form'))['items'][0]

    for change, words in (('done', 'seen'), ('cancel', 'cancelled')):
        press(tab, 'form', 'begin')
        tab.wait(f"{card('form')}.textContent.includes('More of it')")
        press(tab, 'form', change)
        tab.wait(f"{card('form')}.textContent.includes('{words}')")
        check(not state().get('editing'), f'Info edits a widget, and {change} ends it')
    other = browser.tab()
    live(other, page.address)
    press(other, 'form', 'begin')
    other.wait(f"{card('form')}.textContent.includes('More of it')")
    check(state().get('editing'), 'another tab edits it')
    other.open('about:blank')
    end = time.monotonic() + 5
    while state().get('editing') and time.monotonic() < end:
        time.sleep(0.05)
    check(not state().get('editing'), 'the editing ends with the tab that began it')
    other.close()
    os.unlink(f'{page.root}/widgets/org.example.form.widget')
