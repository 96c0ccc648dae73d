import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { get, post, type Schemas } from '../../core/api.ts'
import { chooseLanguage, docsPath, language, languageNames, t } from '../../core/language.ts'
import { useAction } from '../../core/query.ts'
import { navigate, useAddress } from '../../core/router.ts'
import { holdHalfToken, holdSession, sessionStore } from '../../core/session.ts'
import { useStore } from '../../core/store.ts'
import { LinkButton, Loading, Trouble } from '../../parts/basics.tsx'
import { Field, Form, required, requiredError, useForm } from '../../parts/form.tsx'
import { Wordmark } from '../../parts/mark.tsx'
import { Enrolment } from './enrolment.tsx'
import {
  NewPasswordField,
  NextStep,
  PasswordField,
  passwordError,
  SignInForms,
  UserField,
} from './sign-in-forms.tsx'

type Invitation = Schemas['InvitationRead']
type NextFactor = Schemas['SignInStep']
type PersonSession = Schemas['Session']

type DoorProps = {
  title: string
  lead?: ComponentChildren
  /** That of the company which the link names. */
  logo?: string | null
  children: ComponentChildren
}

/** The frame of the pages before one is signed in. */
const Door = ({ title, lead, logo = null, children }: DoorProps) => {
  const other = language() === 'en' ? 'pt-BR' : 'en'
  useEffect(() => {
    document.title = `${title} · ${t.dashboard}`
  }, [title])
  return (
    <div class="door">
      <main class="door-card" id="content">
        <div class="door-head">
          <Wordmark />
          {logo && <img src={logo} alt={t.company.logoAlt} />}
        </div>
        <h1 tabIndex={-1}>{title}</h1>
        {lead && <p class="lead">{lead}</p>}
        {children}
      </main>
      <footer class="door-foot">
        <button type="button" class="link" lang={other} onClick={() => void chooseLanguage(other)}>
          {languageNames[other]}
        </button>
        <a href={docsPath()}>{t.nav.docs}</a>
      </footer>
    </div>
  )
}

/** Where a sign-in leads: the page that was asked for, if it is one of ours. */
const backTo = (query: URLSearchParams): string => {
  const wanted = query.get('volta') ?? ''
  return /^\/painel\/cmp_/.test(wanted) ? wanted : '/painel'
}

/** The logo of the company whose page was asked for; null while it is not known, and for good where there is none. */
const useLogo = (query: URLSearchParams): string | null => {
  const [logo, setLogo] = useState<string | null>(null)
  const [, companyId] = /^\/painel\/(cmp_\w+)/.exec(query.get('volta') ?? '') ?? []
  useEffect(() => {
    if (companyId === undefined) return
    // A person can sign in without it as well.
    void get('/v1/branding', { params: { query: { companyId } } }).then(
      ({ logo }) => setLogo(logo),
      () => undefined,
    )
  }, [companyId])
  return logo
}

const enter = (session: PersonSession, query: URLSearchParams): void => {
  holdSession(session)
  navigate(backTo(query), { replaces: true })
}

/** Signing in: password and factor, or a passkey. */
export const SignIn = () => {
  const { query } = useAddress()
  const [next, setNext] = useState<NextFactor | null>(null)
  const session = useStore(sessionStore)
  const logo = useLogo(query)
  useEffect(() => {
    if (session && !session.enrolmentRequired) navigate(backTo(query), { replaces: true })
  }, [session])
  return (
    <Door {...(next === null ? { title: t.signIn.title, lead: t.signIn.lead } : headOf(next))} logo={logo}>
      <SignInForms onNext={setNext} onDone={(session) => enter(session, query)} />
      <p class="door-links">
        <a href="/painel/nova-senha">{t.signIn.forgot}</a>
      </p>
    </Door>
  )
}

/** The title and lead of the page after the password. */
const headOf = ({ next }: NextFactor) =>
  next === 'ENROL'
    ? { title: t.enrolment.title, lead: t.enrolment.lead }
    : { title: t.factor.stepUp, lead: null }

/** Enrols the second factor, which every person needs, in a session that has none yet. */
export const SecondFactor = () => {
  const { query } = useAddress()
  const session = useStore(sessionStore)
  useEffect(() => {
    if (session === null) navigate('/painel/entrar', { replaces: true })
    else if (session && !session.enrolmentRequired) navigate('/painel', { replaces: true })
  }, [session])
  return (
    <Door title={t.enrolment.title} lead={t.enrolment.lead}>
      {session?.enrolmentRequired && (
        <Enrolment person={session.person.email} onDone={(session) => enter(session, query)} />
      )}
    </Door>
  )
}

/** The token of a link, which stands in the fragment: no log and no other site sees it. */
const fragment = (): string => location.hash.slice(1)

/** Accepting an invitation: a new person chooses name and password, a known one proves the password; then the factor. */
export const AcceptInvitation = () => {
  const { query } = useAddress()
  const [token] = useState(fragment)
  const [invitation, setInvitation] = useState<Invitation | null>(null)
  const [next, setNext] = useState<NextFactor | null>(null)
  const read = useAction(async () => setInvitation(await post('/v1/invitations/read', { body: { token } })))
  useEffect(() => void read.run(), [])
  if (next !== null && invitation !== null)
    return (
      <Door {...headOf(next)} logo={invitation.logo}>
        <NextStep next={next} person={invitation.email} onDone={(session) => enter(session, query)} />
      </Door>
    )
  return (
    <Door
      title={t.invitation.title}
      logo={invitation?.logo ?? null}
      lead={invitation && t.invitation.lead(invitation.inviter, invitation.companyName)}
    >
      {read.isBusy && <Loading />}
      <Trouble of={read.problem} />
      {read.problem?.code === 'LINK_INVALID' && <p class="hint">{t.invitation.invalid}</p>}
      {invitation && <AcceptForm token={token} invitation={invitation} onNext={setNext} />}
    </Door>
  )
}

type AcceptFormProps = { token: string; invitation: Invitation; onNext: (next: NextFactor) => void }

const AcceptForm = ({ token, invitation, onNext }: AcceptFormProps) => {
  const { isKnown, email } = invitation
  const form = useForm(
    { name: invitation.name, password: '' },
    async ({ name, password }) => {
      const chosen = { name: name!.trim(), language: language() === 'en' ? 'en' : 'pt' } as const
      const body = { token, password: password!, ...(!isKnown && chosen) }
      const next = await post('/v1/invitations/accept', { body })
      holdHalfToken(next.csrfToken)
      onNext(next)
    },
    ({ name, password }) => ({
      name: isKnown ? null : requiredError(name),
      password: isKnown ? requiredError(password) : passwordError(password),
    }),
  )
  return (
    <Form of={form} submit={t.invitation.accept}>
      <p class="hint">{email}</p>
      {isKnown ? (
        <>
          <p>{t.invitation.known}</p>
          <PasswordField name="password" label={t.signIn.password} isFirst />
        </>
      ) : (
        <>
          <Field name="name" label={t.signIn.name} autoComplete="name" maxLength={120} isFirst />
          <NewPasswordField name="password" />
        </>
      )}
    </Form>
  )
}

/** A forgotten password: requests a mail or, with the mail's link, sets a new password. */
export const ForgotPassword = () => {
  const [token] = useState(fragment)
  const [isDone, setDone] = useState(false)
  const ask = useForm(
    { email: '' },
    async ({ email }) => {
      await post('/v1/password/forgot', { body: { email: email!.trim() } })
      setDone(true)
    },
    required('email'),
  )
  const set = useForm(
    { password: '' },
    async ({ password }) => {
      await post('/v1/password/reset', { body: { token, password: password! } })
      setDone(true)
    },
    ({ password }) => ({ password: passwordError(password) }),
  )
  if (isDone)
    return (
      <Door
        title={token === '' ? t.reset.sent : t.reset.done}
        lead={token === '' ? t.reset.sentText : t.reset.doneText}
      >
        <LinkButton tone="main" href="/painel/entrar" text={t.signIn.title} />
      </Door>
    )
  return (
    <Door title={t.signIn.newPassword} lead={token === '' ? t.reset.lead : t.reset.chooseLead}>
      {token === '' ? (
        <Form of={ask} submit={t.reset.send}>
          <UserField />
        </Form>
      ) : (
        <Form of={set} submit={t.reset.set}>
          <NewPasswordField name="password" />
        </Form>
      )}
      <p class="door-links">
        <a href="/painel/entrar">{t.reset.back}</a>
      </p>
    </Door>
  )
}

/** The link of a mail that confirms a new e-mail address. */
export const ConfirmEmail = () => {
  const [token] = useState(fragment)
  const confirm = useAction(() => post('/v1/email/confirm', { body: { token } }))
  useEffect(() => void confirm.run(), [])
  return (
    <Door title={t.email.title}>
      {confirm.isBusy && <Loading />}
      <Trouble of={confirm.problem} />
      {!confirm.isBusy && !confirm.problem && <p>{t.email.done}</p>}
      <LinkButton tone="main" href="/painel" text={t.enrolment.go} />
    </Door>
  )
}
