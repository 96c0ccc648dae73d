const { search, find, index, copy, copied, nothing } = document.querySelector('script[data-search]').dataset

// Theme: the system's until somebody chooses.
document.querySelector('[data-theme-switch]').addEventListener('click', () => {
  const root = document.documentElement
  const isDark = root.dataset.theme
    ? root.dataset.theme === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.theme = isDark ? 'light' : 'dark'
  localStorage.setItem('theme', root.dataset.theme)
})

// The contents on a narrow screen.
const menu = document.querySelector('[data-menu]')
menu.addEventListener('click', () => {
  const isOpen = document.body.classList.toggle('with-contents')
  menu.setAttribute('aria-expanded', String(isOpen))
})
document.querySelector('.contents [aria-current]')?.scrollIntoView({ block: 'nearest' })

// Copy buttons.
for (const button of document.querySelectorAll('[data-copy]')) {
  button.textContent = copy
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector('code').textContent)
    button.textContent = copied
    setTimeout(() => {
      button.textContent = copy
    }, 1500)
  })
}

// The section in view, in the list at the right.
const links = new Map([...document.querySelectorAll('.sections a')].map((link) => [link.hash.slice(1), link]))
if (links.size > 0) {
  const headings = [...links.keys()].map((id) => document.getElementById(decodeURIComponent(id)))
  const mark = () => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120)
    const current = passed.at(-1) ?? headings[0]
    for (const [id, link] of links)
      link.toggleAttribute('data-current', decodeURIComponent(id) === current.id)
  }
  addEventListener('scroll', mark, { passive: true })
  mark()
}

// Search: the index is fetched when somebody starts to type.
const box = document.querySelector('[data-search-box]')
const results = document.querySelector('[data-search-results]')
let engine = null
const openEngine = async () => {
  const [{ default: MiniSearch }, { folded, openSearch }, words] = await Promise.all([
    import(search),
    import(find),
    fetch(index).then((response) => response.json()),
  ])
  return { find: openSearch(MiniSearch, words), folded }
}

/** The text around the first word that was found, from word to word. */
const excerpt = (text, plain, terms) => {
  const places = terms.map((term) => plain.indexOf(term)).filter((place) => place >= 0)
  const near = Math.min(...places, text.length) - 40
  const start = near < 1 || near > text.length - 60 ? 0 : text.lastIndexOf(' ', near) + 1
  const end = text.length > start + 140 ? text.lastIndexOf(' ', start + 140) : text.length
  return `${start > 0 ? '… ' : ''}${text.slice(start, end).trim()}${end < text.length ? ' …' : ''}`
}

const element = (name, text, className = '') => {
  const made = document.createElement(name)
  made.textContent = text
  made.className = className
  return made
}

const resultItem = ({ page, heading, text, path, call, terms }, folded) => {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = path
  link.append(
    element('strong', heading === page ? page : `${page} › ${heading}`),
    ...(call ? [element('code', call)] : []),
    element('span', excerpt(text, folded(text), terms)),
  )
  item.append(link)
  return item
}

const show = async () => {
  const query = box.value.trim()
  results.hidden = query === ''
  if (query === '') return
  // After a failure the next letter tries again.
  engine ??= openEngine().catch((error) => {
    engine = null
    throw error
  })
  const { find: found, folded } = await engine
  // Somebody has typed on.
  if (box.value.trim() !== query) return
  const items = found(query)
    .slice(0, 10)
    .map((entry) => resultItem(entry, folded))
  results.replaceChildren(...(items.length > 0 ? items : [element('li', nothing, 'nothing')]))
}

const move = (step) => {
  const items = [...results.querySelectorAll('a')]
  const at = items.indexOf(document.activeElement)
  const next = items[at + step]
  if (next) next.focus()
  else if (step < 0) box.focus()
}

box.addEventListener('input', show)
box.addEventListener('focus', show)
addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) {
    event.preventDefault()
    box.focus()
  } else if (event.key === 'Escape') {
    results.hidden = true
    box.blur()
  } else if (!results.hidden && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
    event.preventDefault()
    move(event.key === 'ArrowDown' ? 1 : -1)
  } else if (event.key === 'Enter' && event.target === box) {
    results.querySelector('a')?.click()
  }
})
addEventListener('click', (event) => {
  if (!event.target.closest('.search')) results.hidden = true
})
