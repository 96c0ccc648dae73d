import { type ComponentChildren, type ComponentType, Fragment } from 'preact'
import { useEffect, useErrorBoundary } from 'preact/hooks'
import { get, problemOfError } from './core/api.ts'
import { shortId } from './core/format.ts'
import { languageStore, t } from './core/language.ts'
import { applyPreferences } from './core/preferences.ts'
import type { ApiProblem } from './core/problem.ts'
import {
  currentPlace,
  navigate,
  type PageName,
  type Place,
  pathIn,
  placeOf,
  useAddress,
} from './core/router.ts'
import { holdSession, membershipsChanged, sessionStore } from './core/session.ts'
import { newStore, useStore } from './core/store.ts'
import { pages } from './pages/index.ts'
import {
  AcceptInvitation,
  ConfirmEmail,
  ForgotPassword,
  SecondFactor,
  SignIn,
} from './pages/people/sign-in.tsx'
import { Empty, LinkButton, Page, Trouble } from './parts/basics.tsx'
import { Announcements, useHasDialog } from './parts/dialog.tsx'
import { FactorDialog } from './parts/factor-dialog.tsx'
import { Loaded, loadAhead } from './parts/loaded.tsx'
import type { PageEntry } from './parts/page-entry.ts'
import { SessionEnd } from './parts/session-end.tsx'
import { Shell } from './parts/shell.tsx'

const startProblem = newStore<ApiProblem | null>(null)

/** Asks who is signed in; a stranger is no trouble. */
const readSession = async (): Promise<void> => {
  startProblem.set(null)
  try {
    const session = await get('/v1/session')
    // Before any page is drawn: a change of language redraws it all and loses what was typed.
    await applyPreferences(session.person)
    holdSession(session)
  } catch (error) {
    const problem = problemOfError(error)
    if (problem.status === 401) holdSession(null)
    // Any other failure stops the start and offers a retry.
    else startProblem.set(problem)
  }
}

/** Pages outside a company, by the first segment of their address. */
const doors: Readonly<Record<string, ComponentType>> = {
  entrar: SignIn,
  'segundo-fator': SecondFactor,
  convite: AcceptInvitation,
  'nova-senha': ForgotPassword,
  email: ConfirmEmail,
}

/** The dashboard: a door for strangers, and the pages of a company for people who are signed in. */
export const App = () => {
  const tag = useStore(languageStore)
  const reads = useStore(membershipsChanged)
  useEffect(() => void readSession(), [reads])
  const hasDialog = useHasDialog()
  if (!isSecureContext) return <PlainPage title={t.problems.insecure} text={t.problems.insecureText} />
  return (
    <Fragment key={tag}>
      <Routed />
      <FactorDialog />
      <SessionEnd />
      {!hasDialog && <Announcements />}
    </Fragment>
  )
}

const Routed = () => {
  const session = useStore(sessionStore)
  const problem = useStore(startProblem)
  const { path } = useAddress()
  const isIn = session != null
  useEffect(() => {
    if (isIn)
      loadAhead(Object.values<PageEntry>(pages).flatMap(({ page, one }) => (one ? [page, one] : [page])))
  }, [isIn])
  const Door = doors[path[0] ?? '']
  const place = placeOf(path)
  const first = session?.memberships[0]
  useEffect(() => {
    if (session === undefined || Door !== undefined) return
    if (session === null)
      navigate(
        `/painel/entrar${path.length > 0 ? `?volta=${encodeURIComponent(location.pathname + location.search)}` : ''}`,
        { replaces: true },
      )
    else if (session.enrolmentRequired) navigate('/painel/segundo-fator', { replaces: true })
    else if (place === null && first !== undefined)
      navigate(
        pathIn({
          companyId: first.companyId,
          environment: first.roles.PRODUCTION === null ? 'SANDBOX' : placeBefore(),
        }),
        { replaces: true },
      )
  }, [session, path.join('/')])
  if (Door !== undefined) return <Door />
  if (problem !== null)
    return (
      <main class="plain-page">
        <h1>{t.problems.start}</h1>
        <Trouble of={problem} retry={() => void readSession()} />
      </main>
    )
  if (!session) return <div class="starting" role="status" aria-label={t.common.loading} />
  // A link of another company, or of one that the person has left meanwhile.
  if (place !== null && !session.memberships.some(({ companyId }) => companyId === place.companyId))
    return (
      <PlainPage
        title={t.problems.notThere}
        text={first === undefined ? t.problems.nowhereText : t.problems.notThereText}
      >
        {first && <LinkButton tone="main" href="/painel" text={first.companyName} />}
      </PlainPage>
    )
  if (place === null)
    return first === undefined ? <PlainPage title={t.problems.nowhere} text={t.problems.nowhereText} /> : null
  const [, , name = 'inicio', ...rest] = path
  localStorage.setItem('environment', place.environment)
  const entry = entryOf(name)
  document.title = titleOf(entry, rest[0], place)
  return (
    <Shell place={place} pages={pages} page={name}>
      <Caught key={path.join('/') + place.environment}>
        {entry === null ? <NoPage /> : <Shown of={entry} rest={rest} />}
      </Caught>
    </Shell>
  )
}

/** The title of the tab: the page, which of its objects, the company and the environment. */
const titleOf = (entry: PageEntry | null, id: string | undefined, place: Place): string => {
  if (entry === null) return `${t.problems.noPage} · ${t.dashboard}`
  const company = sessionStore.get()?.memberships.find(({ companyId }) => companyId === place.companyId)
  const object = id !== undefined && entry.one !== undefined ? ` ${shortId(id)}` : ''
  return [entry.title() + object, company?.companyName, t.environment[place.environment]].join(' · ')
}

const entryOf = (name: string): PageEntry | null =>
  Object.hasOwn(pages, name) ? pages[name as PageName] : null

/** Shows a page, or the page of one of its rows when the address has an id. */
const Shown = ({ of: { page, one }, rest }: { of: PageEntry; rest: readonly string[] }) => {
  const [id] = rest
  return one !== undefined && id !== undefined ? (
    <Loaded key={id} load={one} props={{ id }} />
  ) : (
    <Loaded load={page} props={{ rest }} />
  )
}

/** The environment where this browser was last. */
const placeBefore = () => (localStorage.getItem('environment') === 'PRODUCTION' ? 'PRODUCTION' : 'SANDBOX')

/** A page that breaks says so, and leaves the way to the others. */
const Caught = ({ children }: { children: ComponentChildren }) => {
  const [error, forget] = useErrorBoundary()
  if (error) return <Trouble of={problemOfError(error)} retry={forget} />
  return <>{children}</>
}

const NoPage = () => (
  <Page title={t.problems.noPage}>
    <Empty
      icon="search"
      title={t.problems.noPage}
      text={t.problems.noPageText}
      actions={<LinkButton href={pathIn(currentPlace()!)} text={t.nav.home} />}
    />
  </Page>
)

type PlainPageProps = { title: string; text: string; children?: ComponentChildren }

const PlainPage = ({ title, text, children }: PlainPageProps) => (
  <main class="plain-page">
    <h1>{title}</h1>
    <p>{text}</p>
    {children}
  </main>
)
