import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../core/api.ts'
import { useClockOf } from '../core/clock.ts'
import { zone } from '../core/format.ts'
import { chooseKeys, goKeys, helpShown, keysOn } from '../core/keys.ts'
import { language, t } from '../core/language.ts'
import { preferLanguage, preferTheme } from '../core/preferences.ts'
import { forgetAll, useGet } from '../core/query.ts'
import { navigate, type PageName, type Place, pathIn, pathTo } from '../core/router.ts'
import { can, holdSession, sessionStore } from '../core/session.ts'
import { useStore } from '../core/store.ts'
import { type ThemeName, themeStore } from '../core/theme-choice.ts'
import type { Texts } from '../texts/texts.ts'
import { Loading } from './basics.tsx'
import { Dialog } from './dialog.tsx'
import { place as placePopover } from './filters.tsx'
import { GlobalSearch, showSearch } from './global-search.tsx'
import { Icon, type IconName } from './icons.tsx'
import { NoticeBell } from './notice-bell.tsx'
import { SandboxBar } from './sandbox-bar.tsx'

/** A page of the dashboard. */
export type PageEntry = {
  readonly title: () => string
  /** Its place in the menu; none where only links lead to it. */
  readonly menu?: {
    readonly group: keyof Texts['nav'] | null
    readonly icon: IconName
    readonly permission: string
    readonly isSandboxOnly?: boolean
    /** Where it differs from the title. */
    readonly text?: () => string
  }
  readonly page: () => ComponentType<{ rest: readonly string[] }>
  /** The page of one row of a list, where the address has an id. */
  readonly one?: () => ComponentType<{ id: string }>
}

type PageTable = Readonly<Record<PageName, PageEntry>>

/** The frame of every page of a company: where one is, where one can go, and the Sandbox's bar. */
export const Shell = ({
  place,
  pages,
  page,
  children,
}: {
  place: Place
  pages: PageTable
  page: string
  children: ComponentChildren
}) => {
  const [isMenuOpen, setMenuOpen] = useState(false)
  useEffect(() => setMenuOpen(false), [page])
  const isSandbox = place.environment === 'SANDBOX'
  const company = useGet(can('company.read') ? '/v1/company' : null)
  // Everything on the page is written in the company's zone, so the page waits for none but is drawn again with it.
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
        <button
          type="button"
          class="button quiet icon-only menu-button"
          aria-expanded={isMenuOpen}
          aria-controls="menu"
          aria-label={t.nav.menu}
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          <Icon name={isMenuOpen ? 'x' : 'menu'} size={20} />
        </button>
        <PlaceSwitch place={place} />
        <GlobalSearch />
        <div class="topbar-end">
          <NoticeBell />
          <button
            type="button"
            class="button quiet icon-only search-button"
            aria-label={t.search.label}
            onClick={showSearch}
          >
            <Icon name="search" size={18} />
          </button>
          <button
            type="button"
            class="button quiet icon-only"
            aria-label={t.nav.help}
            title={`${t.nav.help} (?)`}
            onClick={() => helpShown.set(true)}
          >
            <Icon name="help" size={18} />
          </button>
          <PersonMenu />
        </div>
      </header>
      {isSandbox && <SandboxBar />}
      <nav id="menu" class={isMenuOpen ? 'sidebar open' : 'sidebar'} aria-label={t.nav.pages}>
        {groupsOf(pages, isSandbox).map(({ group, items }) => (
          <div key={group} class="nav-group">
            {group && <h2>{t.nav[group]}</h2>}
            <ul>
              {items.map(({ name, icon, text }) => (
                <li key={name}>
                  <a
                    href={pathTo(name)}
                    aria-current={name === page ? 'page' : undefined}
                    onClick={() => setMenuOpen(false)}
                  >
                    <Icon name={icon} />
                    {text()}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <div class="nav-foot">
          <a href={language() === 'en' ? '/docs/en' : '/docs/pt'} target="_blank" rel="noreferrer">
            {t.nav.docs} <Icon name="external" size={12} />
          </a>
        </div>
      </nav>
      <main id="content" tabIndex={-1}>
        {isClockKnown ? children : <Loading rows={8} />}
      </main>
      <KeyHelp pages={pages} />
    </div>
  )
}

/** The pages that the person may see, in groups. */
const groupsOf = (pages: PageTable, isSandbox: boolean) => {
  const groups: { group: keyof Texts['nav'] | null; items: MenuItem[] }[] = []
  for (const [name, { title, menu }] of Object.entries<PageEntry>(pages)) {
    if (menu === undefined || !can(menu.permission) || (menu.isSandboxOnly && !isSandbox)) continue
    if (groups.at(-1)?.group !== menu.group) groups.push({ group: menu.group, items: [] })
    groups.at(-1)!.items.push({ name: name as PageName, icon: menu.icon, text: menu.text ?? title })
  }
  return groups
}

type MenuItem = { readonly name: PageName; readonly icon: IconName; readonly text: () => string }

const PlaceSwitch = ({ place }: { place: Place }) => {
  const session = useStore(sessionStore)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const own = session?.memberships.find(({ companyId }) => companyId === place.companyId)
  return (
    <div class="place">
      <button ref={button} type="button" class="place-button" popovertarget="places" aria-expanded={isOpen}>
        <span class="place-mark" aria-hidden="true" data-initials={(own?.companyName ?? '?').slice(0, 1)} />
        <span class="visually-hidden">{t.nav.place}: </span>
        <span class="place-name">{own?.companyName}</span>
        <span class={place.environment === 'SANDBOX' ? 'environment sandbox' : 'environment'}>
          {t.environment[place.environment]}
        </span>
        <Icon name="down" size={12} />
      </button>
      <div
        id="places"
        ref={panel}
        popover="auto"
        class="popover menu"
        onBeforeToggle={(event) => {
          if (event.newState === 'open') placePopover(panel.current!, button.current!)
          setOpen(event.newState === 'open')
        }}
      >
        {session?.memberships.map(({ companyId, companyName, roles }) => (
          <div key={companyId} class="place-company">
            <strong>{companyName}</strong>
            {(['SANDBOX', 'PRODUCTION'] as const)
              .filter((environment) => roles[environment] !== null)
              .map((environment) => (
                <a
                  key={environment}
                  href={pathIn({ companyId, environment })}
                  aria-current={
                    companyId === place.companyId && environment === place.environment ? 'true' : undefined
                  }
                  onClick={() => panel.current?.hidePopover()}
                >
                  <span>{t.environment[environment]}</span>
                  <span class="hint">
                    {t.role[roles[environment] as keyof Texts['role']] ?? roles[environment]}
                  </span>
                </a>
              ))}
          </div>
        ))}
      </div>
    </div>
  )
}

const PersonMenu = () => {
  const session = useStore(sessionStore)
  const theme = useStore(themeStore)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const name = session?.person.name ?? ''
  const initials = name
    .split(/\s+/)
    .filter((_, n, all) => n === 0 || n === all.length - 1)
    .map((word) => word.slice(0, 1))
    .join('')
  return (
    <>
      <button
        ref={button}
        type="button"
        class="person-button"
        popovertarget="person"
        aria-expanded={isOpen}
        aria-label={`${t.nav.me}: ${name}`}
      >
        <span aria-hidden="true" data-initials={initials} />
      </button>
      <div
        id="person"
        ref={panel}
        popover="auto"
        class="popover menu"
        onBeforeToggle={(event) => {
          if (event.newState === 'open') placePopover(panel.current!, button.current!)
          setOpen(event.newState === 'open')
        }}
      >
        <div class="person-head">
          <strong>{name}</strong>
          <span class="hint">{session?.person.email}</span>
        </div>
        <a href={pathTo('eu')} onClick={() => panel.current?.hidePopover()}>
          {t.nav.me}
        </a>
        <fieldset class="menu-choice">
          <legend>{t.theme.title}</legend>
          {(['system', 'light', 'dark'] as const satisfies readonly ThemeName[]).map((name) => (
            <label key={name}>
              <input
                type="radio"
                name="theme"
                checked={theme === name}
                onChange={() => void preferTheme(name)}
              />
              <span>{t.theme[name]}</span>
            </label>
          ))}
        </fieldset>
        <fieldset class="menu-choice">
          <legend>{t.theme.language}</legend>
          {(['pt-BR', 'en'] as const).map((tag) => (
            <label key={tag}>
              <input
                type="radio"
                name="language"
                checked={language() === tag}
                onChange={() => void preferLanguage(tag)}
              />
              <span lang={tag}>{tag === 'en' ? 'English' : 'Português'}</span>
            </label>
          ))}
        </fieldset>
        <button type="button" onClick={() => void signOut()}>
          <Icon name="logout" /> {t.nav.signOut}
        </button>
      </div>
    </>
  )
}

/** Ends the session here and at the service. */
export const signOut = async (): Promise<void> => {
  await api.DELETE('/v1/session').catch(() => undefined)
  forgetAll()
  holdSession(null)
  navigate('/painel/entrar')
}

const KeyHelp = ({ pages }: { pages: PageTable }) => {
  const isShown = useStore(helpShown)
  const isOn = useStore(keysOn)
  if (!isShown) return null
  const close = () => helpShown.set(false)
  return (
    <Dialog title={t.keys.title} onClose={close}>
      <label class="switch">
        <input type="checkbox" checked={isOn} onChange={(event) => chooseKeys(event.currentTarget.checked)} />
        <span>{t.keys.on}</span>
      </label>
      <dl class="key-list">
        {(
          [
            ['/', t.keys.search],
            ['n', t.keys.create],
            ['j k', t.keys.rows],
            ['Enter', t.keys.open],
            ...Object.entries(goKeys).map(([key, page]) => [`g ${key}`, pages[page].title()] as const),
            ['?', t.keys.help],
          ] as const
        ).map(([keys, text]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">
        {t.keys.more}{' '}
        <a href={language() === 'en' ? '/docs/en' : '/docs/pt'} target="_blank" rel="noreferrer">
          {t.nav.docs}
        </a>
      </p>
    </Dialog>
  )
}
