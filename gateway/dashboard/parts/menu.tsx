import { useEffect, useRef, useState } from 'preact/hooks'
import { docsPath, t } from '../core/language.ts'
import { type PageName, pathTo } from '../core/router.ts'
import { can } from '../core/session.ts'
import { Tabs } from './basics.tsx'
import { Icon, type IconName } from './icons.tsx'
import { Wordmark } from './mark.tsx'
import { type Access, type MenuGroup, menuGroups, type PageEntry, type PageTable } from './page-entry.ts'

/** An entry of the menu: a page of its own, or several that are tabs of each other. */
export type MenuEntry = {
  readonly group: MenuGroup | null
  readonly icon: IconName
  readonly text: string
  readonly pages: readonly { readonly name: PageName; readonly text: string }[]
}

type Where = { readonly isSandbox: boolean; readonly active: readonly string[] | null }

/** The entries that the person may use, with those of products that are active, or not known yet. */
export const menuOf = (pages: PageTable, { isSandbox, active }: Where): readonly MenuEntry[] => {
  const isOpen = ({ permission, isSandboxOnly, isProductionOnly, product }: Access): boolean =>
    can(permission) &&
    (!isSandboxOnly || isSandbox) &&
    !(isProductionOnly && isSandbox) &&
    (product === undefined || active === null || active.includes(product))
  const table = Object.entries(pages) as [PageName, PageEntry][]
  return table.flatMap(([name, { menu, title }]) => {
    if (menu === undefined) return []
    const family = [
      ...(isOpen(menu) ? [{ name, text: title() }] : []),
      ...table.flatMap(([other, { tab, title }]) =>
        tab?.of === name && isOpen(tab) ? [{ name: other, text: (tab.text ?? title)() }] : [],
      ),
    ]
    if (family.length === 0) return []
    const text = family.length === 1 ? family[0]!.text : (menu.text ?? title)()
    return [{ group: menu.group ?? null, icon: menu.icon, text, pages: family }]
  })
}

type MenuProps = { of: readonly MenuEntry[]; page: string; isOpen: boolean; close: () => void }

/** Where one can go. A group that is closed still shows the present page. */
export const Menu = ({ of, page, isOpen, close }: MenuProps) => {
  const nav = useRef<HTMLElement>(null)
  const [closed, setClosed] = useState(closedBefore)
  useEffect(() => showPresent(nav.current!), [page, isOpen])
  const toggle = (group: MenuGroup): void => {
    const next = closed.includes(group) ? closed.filter((one) => one !== group) : [...closed, group]
    localStorage.setItem('menu-closed', next.join(' '))
    setClosed(next)
  }
  const itemsOf = (group: MenuGroup | null) =>
    of.map((entry) => {
      const isPresent = entry.pages.some(({ name }) => name === page)
      const isHidden = group !== null && closed.includes(group) && !isPresent
      if (entry.group !== group || isHidden) return null
      const [{ name }] = entry.pages as [MenuEntry['pages'][number]]
      return (
        <li key={name}>
          <a href={pathTo(name)} aria-current={isPresent ? 'page' : undefined} onClick={close}>
            <Icon name={entry.icon} />
            {entry.text}
          </a>
        </li>
      )
    })
  return (
    <nav id="menu" ref={nav} class={isOpen ? 'sidebar open' : 'sidebar'} aria-label={t.nav.pages}>
      <ul>{itemsOf(null)}</ul>
      {menuGroups
        .filter((group) => of.some((entry) => entry.group === group))
        .map((group) => (
          <div key={group} class="nav-group">
            <button
              type="button"
              aria-expanded={!closed.includes(group)}
              aria-controls={`menu-${group}`}
              onClick={() => toggle(group)}
            >
              {t.nav[group]} <Icon name={closed.includes(group) ? 'right' : 'down'} size={14} />
            </button>
            <ul id={`menu-${group}`}>{itemsOf(group)}</ul>
          </div>
        ))}
      <div class="nav-foot">
        <a href={docsPath()} target="_blank" rel="noreferrer">
          {t.nav.docs} <Icon name="external" size={12} />
        </a>
        <Wordmark />
      </div>
    </nav>
  )
}

/** The groups that were closed in this browser; at first those that a shop without programmers does not use. */
const closedBefore = (): readonly string[] =>
  (localStorage.getItem('menu-closed') ?? 'crypto developers').split(' ').filter(Boolean)

/** Scrolls the menu, and nothing else, to the present page. */
const showPresent = (nav: HTMLElement): void => {
  const link = nav.querySelector('[aria-current]')
  if (link === null) return
  const [box, own] = [nav.getBoundingClientRect(), link.getBoundingClientRect()]
  if (own.top < box.top) nav.scrollTop -= box.top - own.top + 16
  else if (own.bottom > box.bottom) nav.scrollTop += own.bottom - box.bottom + 16
}

/** Links between the pages of one entry of the menu. */
export const Family = ({ of, page }: { of: readonly MenuEntry[]; page: string }) => {
  const entry = of.find(({ pages }) => pages.some(({ name }) => name === page))
  if (entry === undefined || entry.pages.length === 1) return null
  return (
    <div class="family">
      <Tabs
        label={entry.text}
        current={page}
        of={entry.pages.map(({ name, text }) => ({ id: name, text, href: pathTo(name) }))}
      />
    </div>
  )
}
