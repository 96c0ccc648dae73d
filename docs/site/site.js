const { search, index, copy, copied, nothing } = document.querySelector('script[data-search]').dataset

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
  const [{ default: MiniSearch }, sections] = await Promise.all([
    import(search),
    fetch(index).then((response) => response.json()),
  ])
  const fold = (term) => term.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
  const engine = new MiniSearch({
    fields: ['heading', 'page', 'text'],
    storeFields: ['page', 'heading', 'text', 'path'],
    processTerm: fold,
    searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  })
  engine.addAll(sections)
  return engine
}

const excerpt = (text, terms) => {
  const at = Math.max(
    0,
    Math.min(
      ...terms.map((term) => text.toLowerCase().indexOf(term)).filter((place) => place >= 0),
      text.length,
    ) - 40,
  )
  const start = at >= text.length - 40 ? 0 : at
  return `${start > 0 ? '… ' : ''}${text.slice(start, start + 140)}${text.length > start + 140 ? ' …' : ''}`
}

const resultItem = ({ page, heading, text, path, terms }) => {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = path
  const title = document.createElement('strong')
  title.textContent = heading === page ? page : `${page} › ${heading}`
  const body = document.createElement('span')
  body.textContent = excerpt(text, terms)
  link.append(title, body)
  item.append(link)
  return item
}

const show = async () => {
  const query = box.value.trim()
  results.hidden = query === ''
  if (query === '') return
  engine ??= openEngine()
  const found = (await engine).search(query).slice(0, 8)
  if (found.length > 0) results.replaceChildren(...found.map(resultItem))
  else {
    const item = document.createElement('li')
    item.className = 'nothing'
    item.textContent = nothing
    results.replaceChildren(item)
  }
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
