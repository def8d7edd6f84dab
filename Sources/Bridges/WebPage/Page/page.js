// SPDX-License-Identifier: MIT
// The script of the page. It replaces cards, and needs no other file.
'use strict'

// MARK: Cards by server-sent events, their places, and their ages.

const meta = name => document.querySelector(`meta[name=${name}]`)?.content
const main = document.getElementById('cards')
const token = meta('today-token')
const say = text => { document.getElementById('connection').textContent = text }
const place = id => [...main.children].find(place => place.dataset.id === id)
document.body.classList.add('live')
if (!token) document.body.classList.add('readonly')

function parsed(html) {
  const template = document.createElement('template')
  template.innerHTML = html
  return template.content.firstElementChild
}

// What has the focus in a card that is replaced keeps it, by its place among the elements that can have it.
const focusable = element => [...element.querySelectorAll('a, button, summary, [tabindex]')]
function replace(old, card) {
  const index = focusable(old).indexOf(document.activeElement)
  const open = [...old.querySelectorAll('details')].map(details => details.open)
  card.querySelectorAll('details').forEach((details, at) => { if (at < open.length) details.open = open[at] })
  const before = old.offsetHeight
  heights.unobserve(old.querySelector('article'))
  card.style.animation = 'none'
  card.style.gridArea = old.style.gridArea
  old.replaceWith(card)
  const after = card.offsetHeight
  if (before !== after && !matchMedia('(prefers-reduced-motion: reduce)').matches)
    card.animate({ height: [`${before}px`, `${after}px`], overflow: ['hidden', 'hidden'] }, 150)
  if (index >= 0) focusable(card)[index]?.focus({ preventScroll: true })
}

// Masonry in reading order: each card stands in the shortest column, in the grid's low rows. A tile takes half a column.
function lay() {
  main.classList.add('laid')
  const style = getComputedStyle(main), gap = parseFloat(style.columnGap), unit = parseFloat(style.gridAutoRows)
  // Columns of no width are those of a wider window, in which cards still stand.
  const ends = style.gridTemplateColumns.split(' ').filter(width => parseFloat(width) > 0).map(() => 1)
  for (const card of main.children) {
    const article = card.querySelector('article'), width = article.classList.contains('tile') || ends.length < 2 ? 1 : 2
    let best = 0, top = Infinity
    for (let column = 0; column + width <= ends.length; column += width) {
      const end = Math.max(...ends.slice(column, column + width))
      if (end < top) (best = column, top = end)
    }
    const rows = Math.ceil((article.offsetHeight + gap) / unit)
    ends.fill(top + rows, best, best + width)
    card.style.gridArea = `${top} / ${best + 1} / span ${rows} / span ${width}`
  }
}
// Once for all changes of a frame.
const heights = new ResizeObserver(lay)

function prepare(card) {
  heights.observe(card.querySelector('article'))
  card.querySelectorAll('figure[data-dates]').forEach(labelDates)
  if (!token) {
    card.querySelectorAll('button[data-action]').forEach(button => { button.disabled = true })
    card.querySelectorAll('.controls, .chevron').forEach(controls => controls.remove())
  }
  card.draggable = document.body.classList.contains('editing')
}

function take(event) {
  const { cards, removed, whole } = JSON.parse(event.data)
  if (whole) {
    const ids = new Set(cards.map(card => card.id))
    for (const old of [...main.children]) if (!ids.has(old.dataset.id)) old.remove()
  }
  for (const id of removed) place(id)?.remove()
  for (const { id, html } of cards) {
    const card = parsed(html), old = place(id)
    prepare(card)
    if (old) replace(old, card)
    else main.append(card)
  }
  sort()
  lay()
  document.getElementById('empty')?.toggleAttribute('hidden', main.children.length > 0)
  document.querySelector('[role=alert]')?.remove()
  document.body.classList.remove('lost')
  say('')
  tick()
  if (drawer) renewDrawer()
}

function sort() {
  const order = [...main.children].sort((one, other) => one.dataset.position - other.dataset.position)
  order.forEach((card, index) => {
    if (main.children[index] === card) return
    const focus = card.contains(document.activeElement) ? document.activeElement : null
    main.insertBefore(card, main.children[index])
    focus?.focus({ preventScroll: true })
  })
}

function age(milliseconds) {
  const minutes = Math.floor(milliseconds / 60000)
  if (minutes < -1) return 'in the future'
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min`
  return minutes < 1440 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`
}

// An age that says nothing is left out: that of content which is younger than its interval, or than a minute.
function tick() {
  const now = Date.now()
  let failing = 0
  for (const card of main.children) {
    const text = card.querySelector('.age'), article = card.querySelector('article'), { since, fresh } = card.dataset
    // todayd may hang: content whose freshness has ended is stale, whatever was said last.
    if (fresh < now - 1000 && !card.dataset.mark) {
      article.classList.add('stale')
      card.dataset.mark = 'stale'
    }
    const { mark } = card.dataset, old = since ? age(now - since) : 'now'
    const words = [mark, old === 'now' || !mark && fresh > now ? '' : old].filter(Boolean).join(' · ')
    if (words !== text.textContent) text.textContent = words
    if (mark === 'failing' || mark === 'invalid') failing++
  }
  const counts = document.querySelector('.counts'), date = document.querySelector('.date'), bad = document.createElement('b')
  if (!counts) return
  const all = main.children.length
  bad.textContent = failing ? `${failing} failing` : ''
  counts.replaceChildren(`${all} widget${all === 1 ? '' : 's'}${failing ? ' · ' : ''}`, bad)
  const day = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' }).format(now)
  if (date.textContent !== day) date.textContent = day
}
setInterval(tick, 10000)

// A hidden tab has no stream: browsers open six connections to a server, and a user has more tabs.
let source = null
function connect() {
  if (document.hidden || source) return
  source = new EventSource(meta('today-stream'))
  source.addEventListener('cards', take)
  source.addEventListener('lost', () => { document.body.classList.add('lost'); say('todayd does not answer') })
  source.onerror = () => {
    document.body.classList.add('lost')
    say('connecting …')
    if (source.readyState !== EventSource.CLOSED) return
    source = null
    setTimeout(connect, 5000)
    fetch(location.pathname, { method: 'HEAD' }).then(answer => {
      if (answer.status === 401) say('the token has changed: open the link with the new one')
    }, () => {})
  }
}
function disconnect() { source?.close(); source = null }
document.addEventListener('visibilitychange', () => document.hidden ? disconnect() : connect())
addEventListener('pagehide', disconnect)
addEventListener('pageshow', connect)
for (const card of main.children) prepare(card)
tick()
lay()
connect()
addEventListener('resize', lay)

// MARK: The value of a chart under the pointer or the finger.

function read(event) {
  const figure = event.target.closest?.('figure[data-values]')
  for (const other of main.querySelectorAll('figure[data-values]')) if (other !== figure) unread(other)
  if (!figure) return
  const svg = figure.querySelector('svg'), box = svg.getBoundingClientRect()
  const values = figure.dataset.values.split('\n'), dates = figure.dataset.dates?.split(' ').map(Number)
  const share = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1)
  const index = Math.round(share * (values.length - 1)), x = values.length > 1 ? 100 * index / (values.length - 1) : 0
  let line = svg.querySelector('.cursor'), text = figure.querySelector('.reading')
  if (!line) {
    line = document.createElementNS(svg.namespaceURI, 'line')
    line.setAttribute('class', 'cursor')
    svg.append(line)
    text = document.createElement('span')
    text.className = 'reading'
    figure.append(text)
  }
  for (const [name, value] of Object.entries({ x1: x, x2: x, y1: -1, y2: 31 })) line.setAttribute(name, value)
  text.textContent = dates ? `${dateText(dates, index)}, ${values[index]}` : values[index]
}
// A day where the chart has some, otherwise the time of day.
function dateText(dates, index) {
  const isLong = dates.at(-1) - dates[0] > 2 * 86400000
  const format = isLong ? { day: 'numeric', month: 'short' } : { weekday: 'short', hour: '2-digit', minute: '2-digit' }
  return new Intl.DateTimeFormat(undefined, format).format(dates[index])
}
// The first and the last date of a chart that has no words for them.
function labelDates(figure) {
  const label = figure.querySelector('figcaption span'), dates = figure.dataset.dates.split(' ').map(Number)
  if (label && !label.textContent && dates.length > 1)
    label.textContent = `${dateText(dates, 0)} – ${dateText(dates, dates.length - 1)}`
}
function unread(figure) { figure.querySelectorAll('.cursor, .reading').forEach(part => part.remove()) }
for (const kind of ['pointermove', 'pointerdown']) main.addEventListener(kind, read)
main.addEventListener('pointerleave', () => main.querySelectorAll('figure[data-values]').forEach(unread))

// MARK: Buttons, display modes, and the order by drag and by keyboard; where the page has a token.

async function change(name, body, leaves = false) { say(await send(name, body, leaves) ?? '') }
// The reason why it is refused.
async function send(name, body, leaves = false) {
  const answer = await fetch(`/api/change/${name}`, {
    method: 'POST', keepalive: leaves, headers: { 'Content-Type': 'application/json', 'X-Today-Token': token }, body: JSON.stringify(body)
  }).catch(() => null)
  if (answer?.ok) return undefined
  return answer ? (await answer.text()).trim() : 'the page does not answer'
}

// The view of a locker opens nothing.
const here = (new URLSearchParams(location.search).get('point') ?? 'today').replace('-', '_')
const isLocker = here === 'lock_screen'
const cureHere = { today: 'show_in_today', lock_screen: 'show_on_lock_screen', status_bar: 'show_in_status_bars' }[here]
const sides = { up: -1, down: 1 }

// What was just done can be taken back for ten seconds.
let offered = null
function offer(text, name, body) {
  const end = () => { box.remove(); clearTimeout(offered?.timer); offered = null }
  const button = make('button', { type: 'button', textContent: 'Undo', onclick: async () => {
    end()
    await change(name, body)
    if (drawer) await list()
  } })
  offered?.end()
  const box = make('div', { id: 'offer', role: 'status' }, text, button)
  document.body.append(box)
  offered = { end, timer: setTimeout(end, 10000) }
}
async function changed(text, name, body, back) {
  const failure = await send(name, body)
  say(failure ?? '')
  if (!failure) offer(text, ...back)
}
// ids: all of the view in their present order, which says where the widget goes back to.
function arrange(id, to, other, ids) {
  const at = ids.indexOf(id), [side, neighbour] = at + 1 < ids.length ? ['before', ids[at + 1]] : ['after', ids[at - 1]]
  return changed('Moved', 'move', { id, to, other }, ['move', { id, to: side, other: neighbour }])
}
const shownIds = () => [...main.children].map(card => card.dataset.id)
function order(card, to) {
  const other = [...main.children][[...main.children].indexOf(card) + sides[to]]
  if (other) arrange(card.dataset.id, to === 'up' ? 'before' : 'after', other.dataset.id, shownIds())
}

// What was begun here ends with this tab.
const edits = new Set()
function editWidget(id, step, leaves) {
  if (step === 'begin') edits.add(id)
  else edits.delete(id)
  return change('edit', { id, step }, leaves)
}
addEventListener('pagehide', () => { for (const id of [...edits]) editWidget(id, 'cancel', true) })

function act(target) {
  const card = target.closest('.place'), id = card?.dataset.id
  if (!token || !id) return false
  const area = target.closest('[data-change], [data-action]')
  if (!area || !card.contains(area)) return false
  const { change: what, action } = area.dataset
  if (action !== undefined) change('press', isLocker ? { id, action, locked: true } : { id, action })
  else if (what in sides) order(card, what)
  else if (['begin', 'done', 'cancel'].includes(what)) editWidget(id, what)
  else if (what === 'expand' || what === 'collapse') change('mode', { id, mode: what === 'expand' ? 'expanded' : 'compact' })
  else change(what, { id })
  return true
}
main.addEventListener('click', event => {
  if (!event.target.closest('a')) act(event.target)
  else if (isLocker) { event.preventDefault(); say('the session is locked: unlock it, and press again') }
})
main.addEventListener('keydown', event => {
  const card = event.target.closest('.place')
  const arrow = { ArrowUp: 'up', ArrowLeft: 'up', ArrowDown: 'down', ArrowRight: 'down' }[event.key]
  if (token && card && arrow && event.altKey) { event.preventDefault(); order(card, arrow) }
  else if ((event.key === 'Enter' || event.key === ' ') && event.target.matches('[role=button]') && act(event.target))
    event.preventDefault()
})

let dragged = null
const target = card => main.querySelectorAll('.target').forEach(old => { if (old !== card) old.classList.remove('target') })
main.addEventListener('dragstart', event => {
  dragged = event.target.closest?.('.place[draggable=true]')
  dragged?.classList.add('dragged')
})
main.addEventListener('dragover', event => {
  const card = event.target.closest('.place')
  if (!dragged || !card) return
  event.preventDefault()
  target(card)
  card.classList.toggle('target', card !== dragged)
})
main.addEventListener('drop', event => {
  const card = event.target.closest('.place')
  if (!dragged || !card || card === dragged) return
  event.preventDefault()
  const cards = [...main.children]
  const to = cards.indexOf(card) < cards.indexOf(dragged) ? 'before' : 'after'
  arrange(dragged.dataset.id, to, card.dataset.id, shownIds())
})
main.addEventListener('dragend', () => { dragged?.classList.remove('dragged'); dragged = null; target(null) })
