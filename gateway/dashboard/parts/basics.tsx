/**
 * The building blocks of pages, which know no subject: headings, buttons, facts, amounts, instants, empty states,
 * errors and badges here; tables, forms, filters and dialogs in the files beside this one.
 */

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useClock } from '../core/clock.ts'
import { type DateStyle, distance, moment, money, moneyParts } from '../core/format.ts'
import { t } from '../core/language.ts'
import type { ApiProblem } from '../core/problem.ts'
import { Icon, type IconName } from './icons.tsx'
import { TabStrip } from './tab-strip.tsx'
import { announce } from './toasts.tsx'

type Children = { children?: ComponentChildren }

type PageProps = Children & {
  title: ComponentChildren
  /** The status of the page's object, beside its heading. */
  status?: ComponentChildren
  lead?: ComponentChildren
  back?: BackLink
  actions?: ComponentChildren
  /** A read that is loading or was refused, shown in the place of the content. */
  unread?: { problem: ApiProblem | null; refresh: () => void }
  rows?: number
}

/** A page: its heading, what can be done with it, and its content. */
export const Page = ({ title, status, lead, back, actions, unread, rows = 6, children }: PageProps) => (
  <>
    {back && (
      <a class="back" href={back.href}>
        <Icon name="left" /> {back.text}
      </a>
    )}
    <header class="page-head">
      <div>
        <h1 tabIndex={-1}>
          {title}
          {status && <> {status}</>}
        </h1>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {actions && <div class="actions">{actions}</div>}
    </header>
    {unread?.problem && <Trouble of={unread.problem} retry={unread.refresh} />}
    {unread?.problem === null && <Loading rows={rows} />}
    {children}
  </>
)

/** The link from a page back to its list. */
export type BackLink = { readonly href: string; readonly text: string }

type SectionProps = Children & { title: string; note?: ComponentChildren; actions?: ComponentChildren }

/** A part of a page with a heading of its own. */
export const Section = ({ title, note, actions, children }: SectionProps) => (
  <section class="section">
    <header class="section-head">
      <h2>{title}</h2>
      {note && <span class="note">{note}</span>}
      {actions && <div class="actions">{actions}</div>}
    </header>
    {children}
  </section>
)

/** A button; `tone` says how much it weighs. */
export const Button = ({
  tone = 'plain',
  icon,
  isBusy = false,
  isDisabled = false,
  type = 'button',
  onClick,
  text,
  children,
  ...rest
}: Children & {
  tone?: 'main' | 'plain' | 'quiet' | 'danger'
  icon?: IconName
  text?: ComponentChildren
  isBusy?: boolean
  isDisabled?: boolean
  type?: 'button' | 'submit'
  onClick?: (event: MouseEvent) => void
  'aria-label'?: string
  'data-key'?: string
}) => (
  <button
    {...rest}
    type={type}
    class={`button ${tone}`}
    aria-busy={isBusy}
    disabled={isDisabled}
    onClick={isBusy ? (event) => event.preventDefault() : onClick}
  >
    {icon && <Icon name={icon} />}
    {text}
    {children}
  </button>
)

type LinkButtonProps = Children & {
  tone?: 'main' | 'plain' | 'quiet'
  icon?: IconName
  text?: string
  href: string
  download?: boolean | string
  target?: string
  'data-key'?: string
}

/** A link that looks like a button. */
export const LinkButton = ({ tone = 'plain', icon, href, text, children, ...rest }: LinkButtonProps) => (
  <a {...rest} class={`button ${tone}`} href={href}>
    {icon && <Icon name={icon} />}
    {text}
    {children}
  </a>
)

/** From ten millions on an amount is wide. */
const millionsLength = '10.000.000'.length

type AmountProps = { of: string; currency?: string | undefined; size?: 'large' | 'huge'; isSigned?: boolean }

/** An amount, with the digits that matter set apart from currency and decimals. */
export const Amount = ({ of, currency = 'BRL', size, isSigned = false }: AmountProps) => {
  const { sign, symbol, whole, decimals } = moneyParts(of, currency)
  return (
    <span
      class={`amount ${size ?? (whole.length >= millionsLength ? 'long' : '')}`.trim()}
      {...(size && {
        style: { '--letters': String(sign.length + symbol.length + whole.length + decimals.length) },
      })}
    >
      <span class="visually-hidden">{money(of, currency)}</span>
      <span aria-hidden="true">
        {isSigned && sign === '' ? '+' : sign}
        <span class="symbol">{symbol}</span>
        {whole}
        <span class="decimals">{decimals}</span>
      </span>
    </span>
  )
}

/** An instant in the company's zone; pointing at it shows it to the second. */
export const Moment = ({ at, style = 'moment' }: { at: string; style?: DateStyle }) => (
  <time dateTime={at} title={moment(at, 'exact')}>
    {moment(at, style)}
  </time>
)

/** How long ago or ahead an instant is, kept current while the page is open. */
export const Ago = ({ at, clock = Date.now }: { at: string; clock?: () => number }) => {
  useClock()
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 15_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={at} title={moment(at, 'exact')}>
      {distance(at, clock())}
    </time>
  )
}

/** Facts as terms and values; those without a value are left out. */
export const Facts = ({ of }: { of: readonly (readonly [term: string, value: ComponentChildren])[] }) => (
  <dl class="facts">
    {of
      .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
      .map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)

type CopyProps = { text: string; label?: string; isShort?: boolean }

/** A text that is copied with one press: an id, a code, a secret. */
export const Copy = ({ text, label, isShort = false }: CopyProps) => (
  <button
    type="button"
    class={isShort ? 'copy short' : 'copy'}
    title={text}
    aria-label={`${t.common.copy} ${label ? `${label} ` : ''}${text}`}
    onClick={() => void copy(text)}
  >
    <code>{text}</code>
    <Icon name="copy" size={14} />
  </button>
)

/** Puts a text on the clipboard, and says so. */
export const copy = async (text: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text)
    announce(t.common.copied)
  } catch {
    announce(t.common.notCopied, 'trouble')
  }
}

type EmptyProps = Children & { icon?: IconName; title: string; text?: string; actions?: ComponentChildren }

/** What a list or page says while it has nothing: what it is for, and the step that fills it. */
export const Empty = ({ icon = 'info', title, text, children = text, actions }: EmptyProps) => (
  <div class="empty">
    <span class="empty-icon">
      <Icon name={icon} size={24} />
    </span>
    <h3>{title}</h3>
    {children && <div class="empty-text">{children}</div>}
    {actions && <div class="actions">{actions}</div>}
  </div>
)

type TroubleProps = {
  of: ApiProblem | null
  /** Fields that already show their own error. */
  shown?: readonly string[]
  retry?: () => void
}

/** Why something was refused, what to do now, and the id by which support finds the request. */
export const Trouble = ({ of, shown = [], retry }: TroubleProps) => {
  if (of === null) return null
  const text = troubleText(of)
  const fields = of.fields.filter(({ field }) => !shown.includes(field))
  return (
    <div class="trouble" role="alert">
      <Icon name="alert" />
      <div>
        <strong>{troubleTitle(of)}</strong>
        {text !== '' && <p>{text}</p>}
        {fields.length > 0 && (
          <ul>
            {fields.map(({ field, message }) => (
              <li key={field}>
                {!message.startsWith(field) && <code>{field}</code>} {message}
              </li>
            ))}
          </ul>
        )}
        <Bounds of={of} />
        <p class="trouble-foot">
          {of.status > 0 && <code>{of.code}</code>}
          {of.requestId && <Copy text={of.requestId} label="requestId" isShort />}
          {retry && (
            <button type="button" class="link" onClick={retry}>
              {t.common.retry}
            </button>
          )}
        </p>
      </div>
    </div>
  )
}

/** The amounts and times that a refusal names: what is left, and when there will be more. */
const Bounds = ({ of: { extra } }: { of: ApiProblem }) => {
  const named = Object.entries(t.problems.bounds).flatMap(([name, text]) => {
    const { [name]: value } = extra
    if (typeof value !== 'string' || value === '') return []
    if (/^-?\d+$/.test(value)) return [[text, money(value)] as const]
    return /^\d{4}-\d\d-\d\dT/.test(value) ? [[text, moment(value)] as const] : []
  })
  if (named.length === 0) return null
  return (
    <dl class="bounds">
      {named.map(([text, value]) => (
        <div key={text}>
          <dt>{text}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const troubleTitle = ({ code, title, status }: ApiProblem): string => {
  if (code === 'UNREACHABLE') return t.problems.unreachable
  if (code === 'NO_PERMISSION') return t.problems.noPermission
  if (code === 'DASHBOARD_ERROR') return t.problems.ours
  return title || `HTTP ${status}`
}

const troubleText = ({ code, detail, extra }: ApiProblem): string => {
  // The fields say more than `detail`, and the API's names of resources are not the page's.
  if (code === 'VALIDATION_ERROR') return ''
  return code === 'NOT_FOUND' && typeof extra.resource === 'string' ? t.problems.absentText : detail
}

/** Placeholder rows while data are loading. */
export const Loading = ({ rows = 3 }: { rows?: number }) => (
  <div class="loading" role="status">
    <span class="visually-hidden">{t.common.loading}</span>
    {Array.from({ length: rows }, (_, n) => (
      <span key={n} class="bone" aria-hidden="true" />
    ))}
  </div>
)

/** A status word, marked by colour and shape too. */
export const Badge = ({ tone, children }: Children & { tone: Tone }) => (
  <span class={`badge ${tone}`}>
    <span class="mark" aria-hidden="true" />
    {children}
  </span>
)

export type Tone = 'good' | 'wait' | 'bad' | 'gone' | 'info' | 'warn'

type TabsProps = {
  label: string
  current: string
  of: readonly { id: string; text: string; href: string; count?: number | undefined }[]
}

/** Links between the parts of a page. */
export const Tabs = ({ label, current, of }: TabsProps) => (
  <TabStrip label={label}>
    {of.map(({ id, text, href, count }) => (
      <a key={id} href={href} aria-current={id === current ? 'page' : undefined}>
        {text}
        {count !== undefined && <span class="count">{count}</span>}
      </a>
    ))}
  </TabStrip>
)
