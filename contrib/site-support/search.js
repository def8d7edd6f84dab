// SPDX-License-Identifier: MIT
// Searches the sections of all documents: each word must occur; a heading counts more than a text. index.js has the sections.
const form = document.getElementById("search")
const [input, results] = [form.querySelector("input"), form.querySelector("ol")]
form.hidden = false
form.addEventListener("submit", event => {
  event.preventDefault()
  results.querySelector("a")?.click()
})
document.addEventListener("keydown", event => {
  if (event.key === "/" && document.activeElement !== input && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault()
    input.focus()
  }
  if (event.key === "Escape") { input.value = ""; show() }
})
input.addEventListener("input", show)
input.value = new URLSearchParams(location.search).get("q") ?? ""
show()

function show() {
  const words = input.value.toLowerCase().split(/\s+/).filter(word => word)
  const found = !words.length ? [] : sections
    .map(([link, page, heading, text]) => {
      const [title, head, body] = [page.toLowerCase(), heading.toLowerCase(), text.toLowerCase()]
      const points = words.map(word => (head.includes(word) ? 4 : 0) + (title.includes(word) ? 2 : 0) + (body.includes(word) ? 1 : 0))
      return { link, page, heading, text, points: points.includes(0) ? 0 : points.reduce((sum, point) => sum + point) }
    })
    .filter(section => section.points)
    .sort((one, other) => other.points - one.points)
    .slice(0, 12)
  results.replaceChildren(...found.map(section => {
    const [item, link, context] = ["li", "a", "small"].map(name => document.createElement(name))
    const at = Math.max(0, section.text.toLowerCase().indexOf(words[0]) - 40)
    link.href = section.link
    link.textContent = section.heading === section.page ? section.page : `${section.page}: ${section.heading}`
    context.textContent = section.text.slice(at, at + 110)
    item.append(link, context)
    return item
  }))
  if (words.length && !found.length) {
    const item = document.createElement("li")
    item.textContent = "Nothing has all of these words."
    results.append(item)
  }
}
