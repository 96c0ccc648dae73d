import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../core/api.ts'
import { useClockOf } from '../core/clock.ts'
import { zone } from '../core/format.ts'
import { chooseKeys, goKeys, helpShown, keysOn } from '../core/keys.ts'
import { language, t } from '../core/language.ts'
import { preferLanguage, preferTheme } from '../core/preferences.ts'
import { forgetAll, useGet } from '../core/query.ts'
import { navigate, type Place, pathIn, pathTo } from '../core/router.ts'
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

type Item = {
  readonly page: string
  readonly text: keyof Texts['nav']
  readonly icon: IconName
  readonly permission: string
  readonly isSandboxOnly?: boolean
}

const groups: readonly { readonly title: keyof Texts['nav'] | null; readonly items: readonly Item[] }[] = [
  {
    title: null,
    items: [
      { page: 'inicio', text: 'home', icon: 'home', permission: 'transactions.read' },
      { page: 'transacoes', text: 'transactions', icon: 'list', permission: 'transactions.read' },
    ],
  },
  {
    title: 'receiving',
    items: [
      { page: 'pix', text: 'pix', icon: 'pix', permission: 'charges.read' },
      { page: 'cartoes', text: 'cards', icon: 'card', permission: 'charges.read' },
      { page: 'boletos', text: 'boletos', icon: 'barcode', permission: 'charges.read' },
      { page: 'cripto', text: 'crypto', icon: 'coin', permission: 'charges.read' },
    ],
  },
  {
    title: 'money',
    items: [
      { page: 'saldo', text: 'balance', icon: 'wallet', permission: 'balance.read' },
      { page: 'extrato', text: 'statement', icon: 'list', permission: 'balance.read' },
      { page: 'transferencias', text: 'transfers', icon: 'forward', permission: 'balance.read' },
      { page: 'favorecidos', text: 'beneficiaries', icon: 'contact', permission: 'balance.read' },
      { page: 'conversoes', text: 'conversions', icon: 'repeat', permission: 'balance.read' },
      { page: 'carteiras', text: 'wallets', icon: 'key', permission: 'balance.read' },
      { page: 'saques', text: 'withdrawals', icon: 'send', permission: 'balance.read' },
    ],
  },
  {
    title: 'recurring',
    items: [
      { page: 'assinaturas', text: 'subscriptions', icon: 'repeat', permission: 'subscriptions.read' },
      { page: 'faturas', text: 'invoices', icon: 'receipt', permission: 'subscriptions.read' },
      { page: 'planos', text: 'plans', icon: 'layers', permission: 'subscriptions.read' },
      { page: 'cupons', text: 'coupons', icon: 'tag', permission: 'subscriptions.read' },
      { page: 'regua', text: 'dunning', icon: 'bell', permission: 'subscriptions.read' },
    ],
  },
  {
    title: 'relations',
    items: [
      { page: 'clientes', text: 'customers', icon: 'users', permission: 'charges.read' },
      { page: 'divisao', text: 'split', icon: 'split', permission: 'transactions.read' },
    ],
  },
  {
    title: 'developers',
    items: [
      { page: 'webhooks', text: 'webhooks', icon: 'webhook', permission: 'webhooks.read' },
      { page: 'entregas', text: 'deliveries', icon: 'send', permission: 'webhooks.read' },
      { page: 'eventos', text: 'events', icon: 'info', permission: 'webhooks.read' },
      { page: 'chaves', text: 'keys', icon: 'key', permission: 'keys.read' },
      { page: 'relogio', text: 'clock', icon: 'clock', permission: 'charges.read', isSandboxOnly: true },
    ],
  },
  {
    title: 'account',
    items: [
      { page: 'empresa', text: 'company', icon: 'building', permission: 'company.read' },
      { page: 'equipe', text: 'team', icon: 'user', permission: 'team.read' },
      { page: 'limites', text: 'limits', icon: 'gauge', permission: 'balance.read' },
      { page: 'auditoria', text: 'audit', icon: 'shield', permission: 'audit.read' },
      { page: 'suporte', text: 'support', icon: 'help', permission: 'support.read' },
    ],
  },
]

/** The frame of every page of a company: where one is, where one can go, and the Sandbox's bar. */
export const Shell = ({
  place,
  page,
  children,
}: {
  place: Place
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
        {groups.map(({ title, items }) => {
          const shown = items.filter(
            ({ permission, isSandboxOnly }) => can(permission) && (!isSandboxOnly || isSandbox),
          )
          if (shown.length === 0) return null
          return (
            <div key={title} class="nav-group">
              {title && <h2>{t.nav[title]}</h2>}
              <ul>
                {shown.map(({ page: to, text, icon }) => (
                  <li key={to}>
                    <a
                      href={pathTo(to)}
                      aria-current={to === page ? 'page' : undefined}
                      onClick={() => setMenuOpen(false)}
                    >
                      <Icon name={icon} />
                      {t.nav[text]}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          )
        })}
        <div class="nav-foot">
          <a href={language() === 'en' ? '/docs/en' : '/docs/pt'} target="_blank" rel="noreferrer">
            {t.nav.docs} <Icon name="external" size={12} />
          </a>
        </div>
      </nav>
      <main id="content" tabIndex={-1}>
        {isClockKnown ? children : <Loading rows={8} />}
      </main>
      <KeyHelp />
    </div>
  )
}

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

const KeyHelp = () => {
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
            ...Object.entries(goKeys).map(([key, page]) => [`g ${key}`, navText(page)] as const),
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

const navText = (page: string): string => {
  const item = groups.flatMap(({ items }) => items).find((item) => item.page === page)
  return item === undefined ? page : t.nav[item.text]
}
