// SPDX-License-Identifier: MIT
// The drawer of page.js, whose functions it uses: all widgets with a switch, their order, and their settings.

const edit = document.getElementById('edit')
function make(name, properties = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(properties))
    if (key in element) element[key] = value
    else element.setAttribute(key, value)
  element.append(...children)
  return element
}
let drawer = null
edit?.addEventListener('click', () => drawer ? closeDrawer() : openDrawer())
addEventListener('keydown', event => { if (event.key === 'Escape' && drawer) closeDrawer() })

async function openDrawer() {
  drawer = make('aside', { id: 'drawer' }, make('header', {}, make('h2', { textContent: 'Widgets' }),
    make('button', { type: 'button', textContent: 'Add', onclick: toggleOffers }),
    make('button', { type: 'button', textContent: 'Done', onclick: closeDrawer })), make('ul', { id: 'there' }))
  drawer.setAttribute('aria-label', 'All widgets')
  document.body.append(drawer)
  setEditing(true)
  await list()
  drawer?.querySelector('header button:last-child').focus()
}
function closeDrawer() {
  drawer.remove()
  drawer = null
  setEditing(false)
  edit.focus()
}
function setEditing(isOn) {
  document.body.classList.toggle('editing', isOn)
  edit.setAttribute('aria-expanded', isOn)
  for (const card of main.children) card.draggable = isOn
}

const rowOf = id => drawer?.querySelector(`#there [data-id="${CSS.escape(id)}"]`)
async function list() {
  const answer = await fetch('/api/list').catch(() => null)
  if (!answer?.ok) return say('todayd does not answer')
  const { widgets } = await answer.json(), focus = document.activeElement?.dataset.key
  added = new Set((await offers()).flatMap(offer => offer.added))
  const forms = [...drawer?.querySelectorAll('#there form') ?? []].map(form => [form.closest('li').dataset.id, form])
  const rows = widgets.sort((one, other) => one.position - other.position).map(line)
  // An open form goes on in the new row.
  for (const [id, form] of forms) rows.find(row => row.dataset.id === id)?.append(form)
  drawer?.querySelector('#there').replaceChildren(...rows)
  drawer?.querySelector(`[data-key="${CSS.escape(focus ?? '')}"]`)?.focus()
}

function line({ id, name, cure, failure, state, places, icon, content }) {
  const isPaused = cure === 'enable' || cure === 'set_has_content'
  const isOn = !isPaused && places.includes(here), canSwitch = state !== 'invalid' && state !== 'masked'
  const row = make('li', { draggable: true })
  row.dataset.id = id
  const button = (kind, label, text, act) => {
    const made = make('button', { type: 'button', className: kind, textContent: text, onclick: act })
    made.setAttribute('aria-label', `${label} ${name}`)
    made.dataset.key = `${label} ${id}`
    return made
  }
  const handle = button('handle', 'Move', '⠿', () => {})
  handle.addEventListener('keydown', event => {
    const to = { ArrowUp: 'up', ArrowDown: 'down' }[event.key], other = to === 'up' ? row.previousSibling : row.nextSibling
    if (!to) return
    event.preventDefault()
    if (other) rearrange(row, to === 'up' ? 'before' : 'after', other)
  })
  const onOff = button('', 'Show', '', async () => {
    const show = ['show', { id, cure: isPaused ? cure : cureHere }], hide = ['hide', { id, point: here }]
    await (isOn ? changed(`${name} is hidden here`, ...hide, show) : change(...show))
    await list()
  })
  onOff.setAttribute('role', 'switch')
  onOff.setAttribute('aria-checked', isOn)
  const line = make('div', { className: 'line' }, handle, make('span', { className: 'symbol', textContent: content?.icon ?? icon ?? '' }),
    make('span', { className: 'names' }, make('span', { textContent: name }), make('span', { className: 'caption', textContent: id })),
    button('plain', 'Update', '↻', () => change('update', { id })),
    button('plain', 'Settings of', '⚙', () => openSettings(id)))
  if (canSwitch) line.append(onOff)
  if (added.has(id)) line.append(button('plain remove', 'Remove', '✕', async () => {
    const [offered, instance] = id.split('@')
    await changed(`${name} is removed`, 'remove', { id }, ['add', { id: offered, instance, values: {} }])
    await list()
  }))
  row.append(line)
  if (failure || !canSwitch) row.append(make('p', { className: 'failure', textContent: failure ?? state }))
  row.addEventListener('dragstart', event => { dragged = null; moved = row; row.classList.add('dragged'); event.stopPropagation() })
  row.addEventListener('dragover', event => { if (moved) event.preventDefault() })
  row.addEventListener('drop', event => {
    if (!moved || moved === row) return
    event.preventDefault()
    const rows = [...row.parentElement.children]
    rearrange(moved, rows.indexOf(row) < rows.indexOf(moved) ? 'before' : 'after', row)
  })
  row.addEventListener('dragend', () => { moved?.classList.remove('dragged'); moved = null })
  return row
}
let moved = null
// At most once a second, and never under a row that is dragged.
let refresh
function renewDrawer() { refresh ??= setTimeout(() => { refresh = undefined; if (drawer && !moved) list() }, 1000) }
async function rearrange(row, to, other) {
  await arrange(row.dataset.id, to, other.dataset.id, [...row.parentElement.children].map(row => row.dataset.id))
  await list()
}

// A form with a field for each setting. A secret is never shown: an empty field leaves it as it is.
async function openSettings(id) {
  const old = () => rowOf(id)?.querySelector('form')
  if (old()) return old().remove()
  const answer = await fetch(`/api/settings?widget=${encodeURIComponent(id)}`).catch(() => null)
  if (!answer?.ok) return say(answer ? (await answer.text()).trim() : 'the page does not answer')
  const { settings: own, face = [] } = await answer.json(), settings = [...own, ...face]
  // By the settings' names, which would hide members of the form as names of its fields.
  const inputs = new Map(settings.map(setting => [setting.name, field(setting)]))
  const shown = ({ name, label, isSet }, words) => {
    const line = make('label', {}, make('span', {}, words), inputs.get(name))
    if (!isSet) return line
    const reset = make('button', { type: 'button', className: 'plain', textContent: '↺', title: 'Go back to the default' })
    reset.setAttribute('aria-label', `Go back to the default of ${label ?? name}`)
    reset.addEventListener('click', async event => {
      event.preventDefault()
      error.textContent = await send('settings', { id, values: {}, unset: [name] }) ?? ''
      if (!error.textContent) (form.remove(), await openSettings(id))
    })
    line.firstChild.append(reset)
    return line
  }
  const error = make('p', { className: 'failure' })
  const form = make('form', {}, ...own.map(setting => shown(setting, setting.label ?? setting.name)))
  error.setAttribute('role', 'alert')
  // Those that every widget has: BarWidth is “Bar width”, and what it is for is its title.
  const words = name => name.replace(/(?<=[a-z])[A-Z]/, letter => ` ${letter.toLowerCase()}`)
  for (const { name, label } of face) inputs.get(name).title = label
  form.append(make('details', { open: !own.length }, make('summary', { textContent: 'Name and look in bars' }),
    ...face.map(setting => shown(setting, words(setting.name)))), error, make('button', { type: 'submit', textContent: 'Save' }))
  form.addEventListener('submit', async event => {
    event.preventDefault()
    const values = {}, unset = []
    for (const { name, type, value } of settings) {
      const input = inputs.get(name), text = type === 'boolean' ? `${input.checked}` : input.value
      if (text === (value ?? (type === 'boolean' ? 'false' : ''))) continue
      if (text === '') unset.push(name)
      else values[name] = text
    }
    const failure = await send('settings', { id, values, unset })
    error.textContent = failure ?? ''
    if (!failure) return form.remove()
    const wrong = settings.find(({ name }) => failure.split(/\W+/).includes(name))
    inputs.get(wrong?.name)?.focus()
  })
  // The row may be another one by now.
  if (!old()) rowOf(id)?.append(form)
  form.querySelector('input, select, textarea')?.focus()
}
function field({ name, type, options, value, min, max, isSet, default: usual }) {
  const input = type === 'choice' ? make('select', {}, ...[...usual === undefined ? [''] : [], ...options].map(option => make('option', { value: option, textContent: option })))
    : make(type === 'list' ? 'textarea' : 'input')
  input.dataset.name = name
  if (type === 'boolean') (input.type = 'checkbox', input.checked = value === 'true')
  else input.value = value ?? ''
  if (type === 'number') input.inputMode = 'decimal'
  if ((min ?? max) !== undefined) input.title = `${min ?? ''} – ${max ?? ''}`
  if (type === 'secret') (input.type = 'password', input.autocomplete = 'off', input.placeholder = isSet ? 'set' : 'not set')
  else if (usual !== undefined && 'placeholder' in input) input.placeholder = usual
  return input
}

// MARK: What there is to add.

let added = new Set()
async function offers() {
  const answer = await fetch('/api/offers').catch(() => null)
  return answer?.ok ? (await answer.json()).offers : []
}
async function toggleOffers() {
  if (drawer.querySelector('#offers')) return drawer.querySelector('#offers').remove()
  const all = (await offers()).filter(offer => offer.template || !offer.added.length)
  const rows = all.length ? all.map(offerLine) : [make('li', { textContent: 'All that is installed is here already.' })]
  drawer.querySelector('header').after(make('ul', { id: 'offers' }, ...rows))
  drawer.querySelector('#offers button')?.focus()
}
function offerLine(offer) {
  const row = make('li')
  const add = make('button', { type: 'button', textContent: '+', className: 'plain', onclick: () => openOffer(row, offer) })
  add.setAttribute('aria-label', `Add ${offer.name}`)
  row.append(make('div', { className: 'line' }, make('span', { className: 'symbol', textContent: offer.icon ?? '' }),
    make('span', { className: 'names' }, make('span', { textContent: offer.name }),
      make('span', { className: 'caption', textContent: offer.description ?? offer.id })), ...offer.complaint ? [] : [add]))
  if (offer.example) row.append(make('p', { className: 'example', textContent: offer.example }))
  if (offer.complaint) row.append(make('p', { className: 'failure', textContent: offer.complaint }))
  return row
}
// Asks for the settings, where there are some, and adds the widget.
async function openOffer(row, offer) {
  if (row.querySelector('form')) return row.querySelector('form').remove()
  const inputs = new Map(offer.settings.map(setting => [setting.name, field({ ...setting, value: setting.default === '%i' ? '' : setting.default })]))
  const error = make('p', { className: 'failure' })
  error.setAttribute('role', 'alert')
  const add = async () => {
    const values = {}
    for (const { name, type, default: usual } of offer.settings) {
      const input = inputs.get(name), text = type === 'boolean' ? `${input.checked}` : input.value
      if (text !== '' && text !== (usual ?? (type === 'boolean' ? 'false' : ''))) values[name] = text
    }
    error.textContent = await send('add', { id: offer.id, values }) ?? ''
    if (error.textContent) return
    drawer?.querySelector('#offers')?.remove()
    await list()
  }
  const form = make('form', {}, ...offer.settings.map(setting => make('label', {}, make('span', {}, setting.label ?? setting.name), inputs.get(setting.name))),
    error, make('button', { type: 'submit', textContent: `Add ${offer.name}` }))
  form.addEventListener('submit', event => { event.preventDefault(); add() })
  row.append(form)
  if (offer.settings.length) form.querySelector('input, select, textarea').focus()
  else await add()
}
