import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Schemas } from '../core/api.ts'
import { useClockOf } from '../core/clock.ts'
import { moment, zone } from '../core/format.ts'
import { helpShown } from '../core/keys.ts'
import { docsPath, t } from '../core/language.ts'
import { useGet } from '../core/query.ts'
import { type PageName, type Place, pathTo } from '../core/router.ts'
import { can, sessionStore } from '../core/session.ts'
import { useStore } from '../core/store.ts'
import type { Texts } from '../texts/texts.ts'
import { Loading } from './basics.tsx'
import { IconButton } from './buttons.tsx'
import { GlobalSearch, showSearch } from './global-search.tsx'
import { Icon, type IconName } from './icons.tsx'
import { KeyHelp } from './key-help.tsx'
import { NoticeBell } from './notice-bell.tsx'
import { SandboxBar } from './sandbox-bar.tsx'
import { PersonMenu, PlaceSwitch } from './top-menus.tsx'

/** A page of the dashboard. */
export type PageEntry = {
  readonly title: () => string
  /** Its place in the menu; none where only links lead to it. */
  readonly menu?: {
    readonly group: keyof Texts['nav'] | null
    readonly icon: IconName
    readonly permission: string
    readonly isSandboxOnly?: boolean
    /** The product that it is about: without it, the page is not in the menu. */
    readonly product?: Schemas['Company']['products']['SANDBOX'][number]
    /** Where it differs from the title. */
    readonly text?: () => string
  }
  readonly page: () => Promise<ComponentType<{ rest: readonly string[] }>>
  /** The page of one row of a list, where the address has an id. */
  readonly one?: () => Promise<ComponentType<{ id: string }>>
}

type PageTable = Readonly<Record<PageName, PageEntry>>

type ShellProps = { place: Place; pages: PageTable; page: string; children: ComponentChildren }

/** The frame of every page of a company: where one is, where one can go, and the Sandbox's bar. */
export const Shell = ({ place, pages, page, children }: ShellProps) => {
  const [isMenuOpen, setMenuOpen] = useState(false)
  useEffect(() => setMenuOpen(false), [page])
  const isSandbox = place.environment === 'SANDBOX'
  const company = useGet(can('company.read') ? '/v1/company' : null)
  // Times are in the company's zone. The page does not wait for it, and is drawn again once it is known.
  useStore(zone)
  useEffect(() => {
    if (company.data) zone.set(company.data.timeZone)
  }, [company.data])
  const isClockKnown = useClockOf(place)
  return (
    <div class={isSandbox ? 'shell sandbox' : 'shell'}>
      <a class="skip" href="#content">
        {t.common.skip}
      </a>
      <header class="topbar">
        <IconButton
          icon={isMenuOpen ? 'x' : 'menu'}
          size={20}
          name={t.nav.menu}
          look="menu-button"
          aria-expanded={isMenuOpen}
          aria-controls="menu"
          onClick={() => setMenuOpen(!isMenuOpen)}
        />
        <PlaceSwitch place={place} />
        <GlobalSearch />
        <div class="topbar-end">
          <NoticeBell />
          <IconButton
            icon="search"
            size={18}
            name={t.search.label}
            look="search-button"
            onClick={showSearch}
          />
          <IconButton
            icon="help"
            size={18}
            name={t.nav.help}
            title={`${t.nav.help} (?)`}
            onClick={() => helpShown.set(true)}
          />
          <PersonMenu />
        </div>
      </header>
      {isSandbox && <SandboxBar />}
      <Menu
        of={groupsOf(pages, isSandbox, company.data?.products[place.environment] ?? null)}
        page={page}
        isOpen={isMenuOpen}
        close={() => setMenuOpen(false)}
      />
      <main id="content" tabIndex={-1}>
        <PrintHead place={place} />
        {isClockKnown ? children : <Loading rows={8} />}
      </main>
      <KeyHelp pages={pages} />
    </div>
  )
}

/** What paper says above a page: whose it is, and when it was printed. */
const PrintHead = ({ place }: { place: Place }) => {
  const session = useStore(sessionStore)
  const [printedAtMs, setPrintedAtMs] = useState(0)
  useEffect(() => {
    const onPrint = () => setPrintedAtMs(Date.now())
    addEventListener('beforeprint', onPrint)
    return () => removeEventListener('beforeprint', onPrint)
  }, [])
  const own = session?.memberships.find(({ companyId }) => companyId === place.companyId)
  return (
    <p class="print-head" aria-hidden="true">
      <strong>{own?.companyName}</strong> {t.environment[place.environment]}
      <span>{t.common.printedAt(moment(printedAtMs, 'exact'))}</span>
    </p>
  )
}

type MenuProps = { of: ReturnType<typeof groupsOf>; page: string; isOpen: boolean; close: () => void }

const Menu = ({ of, page, isOpen, close }: MenuProps) => (
  <nav id="menu" class={isOpen ? 'sidebar open' : 'sidebar'} aria-label={t.nav.pages}>
    {of.map(({ group, items }) => (
      <div key={group} class="nav-group">
        {group && <h2>{t.nav[group]}</h2>}
        <ul>
          {items.map(({ name, icon, text }) => (
            <li key={name}>
              <a href={pathTo(name)} aria-current={name === page ? 'page' : undefined} onClick={close}>
                <Icon name={icon} />
                {text()}
              </a>
            </li>
          ))}
        </ul>
      </div>
    ))}
    <div class="nav-foot">
      <a href={docsPath()} target="_blank" rel="noreferrer">
        {t.nav.docs} <Icon name="external" size={12} />
      </a>
    </div>
  </nav>
)

/** The pages that the person may see, in groups; those of products too that are active, or not known yet. */
const groupsOf = (pages: PageTable, isSandbox: boolean, active: readonly string[] | null) => {
  const groups: { group: keyof Texts['nav'] | null; items: MenuItem[] }[] = []
  for (const [name, { title, menu }] of Object.entries<PageEntry>(pages)) {
    if (menu === undefined || !can(menu.permission) || (menu.isSandboxOnly && !isSandbox)) continue
    if (menu.product !== undefined && active !== null && !active.includes(menu.product)) continue
    if (groups.at(-1)?.group !== menu.group) groups.push({ group: menu.group, items: [] })
    groups.at(-1)!.items.push({ name: name as PageName, icon: menu.icon, text: menu.text ?? title })
  }
  return groups
}

type MenuItem = { readonly name: PageName; readonly icon: IconName; readonly text: () => string }
