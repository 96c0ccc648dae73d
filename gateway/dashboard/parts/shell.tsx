import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useClockOf } from '../core/clock.ts'
import { moment, zone } from '../core/format.ts'
import { helpShown } from '../core/keys.ts'
import { t } from '../core/language.ts'
import { useGet } from '../core/query.ts'
import type { Place } from '../core/router.ts'
import { can, sessionStore } from '../core/session.ts'
import { useStore } from '../core/store.ts'
import { Loading } from './basics.tsx'
import { IconButton } from './buttons.tsx'
import { GlobalSearch, showSearch } from './global-search.tsx'
import { KeyHelp } from './key-help.tsx'
import { Wordmark } from './mark.tsx'
import { Family, Menu, menuOf } from './menu.tsx'
import { NoticeBell } from './notice-bell.tsx'
import type { PageTable } from './page-entry.ts'
import { SandboxBar } from './sandbox-bar.tsx'
import { PersonMenu, PlaceSwitch } from './top-menus.tsx'

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
  const active = company.data?.products[place.environment] ?? null
  const menu = menuOf(pages, { isSandbox, active })
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
        <Wordmark />
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
      <Menu of={menu} page={page} isOpen={isMenuOpen} close={() => setMenuOpen(false)} />
      <main id="content" tabIndex={-1}>
        <PrintHead place={place} />
        <Family of={menu} page={page} />
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
