# SPDX-License-Identifier: MIT
"""What people have on a desktop of today: the contents that the pictures show and that no width may break."""
import json
import subprocess
import sys

from today import text


def stack(*children, axis='v', **more):
    return dict(type=f'{axis}stack', children=list(children), **more)


def row(*children, **more):
    return stack(*children, axis='h', **more)


SPACE = dict(type='spacer')


def bar(value, label=None, shown=None, tint=None):
    return {key: found for key, found in dict(type='progress', value=value, label=label, text=shown, color=tint).items()
            if found is not None}


def soft(words):
    return text(words, style='caption')


def hour(when, sky, degrees):
    return stack(text(when, style='caption', align='center'), text(sky, align='center'), text(degrees, align='center'))


def event(title, where, when):
    return row(stack(text(title), *([soft(where)] if where else [])), SPACE, soft(when))


def task(title, when, color):
    return row(dict(type='button', title='✓', action=f'done {title}'), text(title), SPACE, text(when, color=color))


def item(title, *children, **more):
    return dict(type='item', title=title, **({'children': list(children)} if children else {}), **more)


PRICES = [68.2, 69.9, 68.1, 72.4, 73.9, 75.8, 78.5, 82.1, 90.6, 87.9, 91.4, 89.1, 97.5, 93.8, 96.4]
DAY = 86_400_000_000
FIRST = 1_794_899_200_000_000
CALENDAR = """   December 2026
Su Mo Tu We Th Fr Sa
       1  2  3  4  5
 6  7  8  9 10 11 12
13 14 15 16 17 18 19
20 21 22 23 24 25 26
27 28 29 30 31"""

# Name, icon and content; a content without views is what a script of one line prints.
FACE = {
    'bern': ('Bern', '⛅', dict(text='12°', compact=stack(
        row(text('12°', style='title'), stack(soft('Sunny until the evening'), soft('H 14° · L 5°'))),
        row(*[hour(*each) for each in [('now', '☀️', '12°'), ('14', '☀️', '14°'), ('16', '🌤', '13°'), ('18', '☁️', '10°'),
                                       ('20', '🌧', '8°'), ('22', '🌧', '7°')]])))),
    'cpu': ('CPU', None, dict(text='38 %', percentage=38)),
    'memory': ('Memory', None, dict(text='9.4 of 24 G', percentage=39)),
    'battery': ('Battery', '🔋', dict(text='82 %', compact=stack(text('82 %'), soft('4 h 10 min left')))),
    'network': ('Network', '📶', dict(text='1.2 MB/s', compact=stack(text('1.2 MB/s'), soft('home-5G · 10.0.0.7')))),
    'calendar': ('Calendar', '🗓', dict(text='Design review in 10 min', compact=stack(
        event('Design review', 'Room 4 · with Ada', 'in 10 min'), event('Lunch with Bob', None, '12:30'),
        event('Train to Basel', None, '17:04')))),
    'bitcoin': ('Bitcoin', '₿', dict(text='$96,449.05', compact=stack(
        row(text('$96,449.05', style='title'), text('−1,012.47 (−1.04 %)', color='critical'), SPACE,
            dict(type='button', title='Details', action='details')),
        dict(type='chart', points=PRICES, dates=[FIRST + day * DAY for day in range(len(PRICES))])))),
    'disks': ('Disks', '💾', dict(text='/home 91 %', severity='warning', compact=stack(
        bar(0.23, '/', '74 G free · 23 %'), bar(0.91, '/home', '88 G free · 91 %', 'warning')))),
    'agenda': ('Agenda', '✅', dict(text='2 due', compact=stack(
        task('Call the dentist', 'today', 'warning'), task('Renew the passport', 'tomorrow', 'secondary')))),
    'build': ('Build · main', None, dict(text='3 tests fail', severity='critical', compact=stack(
        text('3 tests fail', style='headline', color='critical'), soft('SocketTests, ReloadTests, CrashTests')))),
    'updates': ('Updates', None, dict(text='14', severity='warning', compact=stack(text('14'), soft('3 security')))),
    'github': ('GitHub', '🔔', dict(text='6', compact=stack(text('6'), soft('2 reviews wanted')))),
    'clock': ('World clock', '🌍', dict(text='Tokyo 07:40', compact=dict(type='grid', columns=2, children=[
        soft('Tokyo'), text('07:40'), soft('London'), text('22:40'), soft('New York'), text('17:40')]))),
    'cal': ('cal', '📆', dict(text='1 December', compact=text(CALENDAR, style='monospace'))),
    'brew': ('Packages', '🍺', dict(text='3 outdated', compact=stack(
        item('Update all', action='all'), item('Outdated', item('ripgrep      14.1.0 → 14.1.1', url='https://example.org'),
                                               item('firefox-esr  128.3 → 128.4'), item('linux-image  6.1.112 → 6.1.115'))))),
    'load': ('Load', None, dict(text='0.42 0.37 0.31')),
    'volume': ('Volume', '🔊', dict(text='65%', percentage=65)),
    'mail': ('Mail', '✉️', dict(text='No new mail')),
    'song': ('Music', '🎵', dict(text='Weird Fishes – Radiohead, In Rainbows, from the beginning to the end')),
}

# Those that show more when they are expanded.
LARGER = ('bern', 'bitcoin', 'disks', 'clock', 'cal')

# Those in a bar, with what stands before their text there.
BAR = {'bern': '', 'network': '', 'cpu': 'CPU', 'memory': 'MEM', 'battery': '', 'volume': '', 'updates': 'Updates',
       'build': 'main', 'mail': ''}


def put(directory, todayctl, names=FACE):
    """Writes manifests of these widgets, and gives them their content. `todayctl` calls the client."""
    for name in names:
        title, icon, content = FACE[name]
        larger = 'LargestDisplayMode=expanded\n' if name in LARGER else ''
        place = f'ExtensionPoint=today status-bar\nLabel={BAR[name]}\n' if name in BAR else ''
        with open(f'{directory}/org.face.{name}.widget', 'w') as file:
            file.write(f'[Widget]\nDisplayName={title}\n{larger}{place}[Update]\nProtocol=push\n')
    todayctl('reload')
    for name in names:
        title, icon, content = FACE[name]
        todayctl('push', f'org.face.{name}', '-', input=json.dumps(dict(content, **({'icon': icon} if icon else {}))))
        todayctl('move', f'org.face.{name}', 'last')


if __name__ == '__main__':
    # face.py DIRECTORY TODAYCTL...: puts those of bars there.
    def call(*words, **more):
        subprocess.run([*sys.argv[2:], *words], check=True, stdout=subprocess.DEVNULL, text=True, **more)

    put(sys.argv[1], call, BAR)
