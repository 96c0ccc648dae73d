import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { chooseLanguage, language, t } from '../../core/language.ts'
import { useAction } from '../../core/query.ts'
import { navigate, useAddress } from '../../core/router.ts'
import { holdHalfToken, holdSession, sessionStore } from '../../core/session.ts'
import { useStore } from '../../core/store.ts'
import { Loading, Trouble } from '../../parts/basics.tsx'
import { Field, Form, type FormState, requiredError, useForm } from '../../parts/form.tsx'
import { Enrolment } from './enrolment.tsx'
import { NextStep, SignInForms } from './sign-in-forms.tsx'

type Invitation = Schemas['InvitationRead']
type NextFactor = Schemas['SignInStep']
type PersonSession = Schemas['Session']

/** The frame of the pages before one is signed in. */
const Door = ({
  title,
  lead,
  children,
}: {
  title: string
  lead?: ComponentChildren
  children: ComponentChildren
}) => {
  useEffect(() => {
    document.title = `${title} · ${t.dashboard}`
  }, [title])
  return (
    <div class="door">
      <main class="door-card" id="content">
        <p class="wordmark">{t.dashboard}</p>
        <h1 tabIndex={-1}>{title}</h1>
        {lead && <p class="lead">{lead}</p>}
        {children}
      </main>
      <footer class="door-foot">
        <button
          type="button"
          class="link"
          lang={language() === 'en' ? 'pt-BR' : 'en'}
          onClick={() => void chooseLanguage(language() === 'en' ? 'pt-BR' : 'en')}
        >
          {language() === 'en' ? 'Português' : 'English'}
        </button>
        <a href={language() === 'en' ? '/docs/en' : '/docs/pt'}>{t.nav.docs}</a>
      </footer>
    </div>
  )
}

/** Where a sign-in leads: the page that was asked for, if it is one of ours. */
const backTo = (query: URLSearchParams): string => {
  const wanted = query.get('volta') ?? ''
  return /^\/painel\/cmp_/.test(wanted) ? wanted : '/painel'
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
  useEffect(() => {
    if (session && !session.enrolmentRequired) navigate(backTo(query), { replaces: true })
  }, [session])
  return (
    <Door {...(next === null ? { title: t.signIn.title, lead: t.signIn.lead } : headOf(next))}>
      <SignInForms onNext={setNext} onDone={(session) => enter(session, query)} />
      <p class="door-links">
        <a href="/painel/nova-senha">{t.signIn.forgot}</a>
      </p>
    </Door>
  )
}

/** What the page after a password is called. */
const headOf = ({ next }: NextFactor) =>
  next === 'ENROL'
    ? { title: t.enrolment.title, lead: t.enrolment.lead }
    : { title: t.signIn.factorTitle, lead: null }

/** Enrolling the second factor, which every person must, by one who has a session without. */
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
  const read = useAction(async () =>
    setInvitation(await dataOf(api.POST('/v1/invitations/read', { body: { token } }))),
  )
  useEffect(() => void read.run(), [])
  if (next !== null && invitation !== null)
    return (
      <Door {...headOf(next)}>
        <NextStep next={next} person={invitation.email} onDone={(session) => enter(session, query)} />
      </Door>
    )
  return (
    <Door
      title={t.invitation.title}
      lead={invitation && t.invitation.lead(invitation.inviter, invitation.companyName)}
    >
      {read.isBusy && <Loading />}
      <Trouble of={read.problem} />
      {read.problem?.code === 'LINK_INVALID' && <p class="hint">{t.invitation.invalid}</p>}
      {invitation && <AcceptForm token={token} invitation={invitation} onNext={setNext} />}
    </Door>
  )
}

const AcceptForm = ({
  token,
  invitation,
  onNext,
}: {
  token: string
  invitation: Invitation
  onNext: (next: NextFactor) => void
}) => {
  const { isKnown, email } = invitation
  const form = useForm(
    { name: invitation.name, password: '' },
    async ({ name, password }) => {
      const chosen = { name: name!.trim(), language: language() === 'en' ? 'en' : 'pt' } as const
      const body = { token, password: password!, ...(!isKnown && chosen) }
      const next = await dataOf(api.POST('/v1/invitations/accept', { body }))
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
          <Field
            form={form}
            name="password"
            type="password"
            label={t.signIn.password}
            autoComplete="current-password"
            isFirst
          />
        </>
      ) : (
        <>
          <Field form={form} name="name" label={t.signIn.name} autoComplete="name" maxLength={120} isFirst />
          <NewPasswordField form={form} name="password" />
        </>
      )}
    </Form>
  )
}

/** A new password, with what makes a good one. */
export const NewPasswordField = ({ form, name }: { form: FormState; name: string }) => (
  <Field
    form={form}
    name={name}
    type="password"
    label={t.signIn.newPassword}
    hint={t.signIn.passwordHint}
    autoComplete="new-password"
    maxLength={128}
  />
)

/** The error of a new password that is too short; the service knows the others. */
export const passwordError = (text: string | undefined): string | null =>
  [...(text ?? '')].length < 12 ? t.signIn.passwordShort : null

/** A forgotten password: a mail is asked for, or, with the mail's link, a new password is set. */
export const ForgotPassword = () => {
  const [token] = useState(fragment)
  const [isDone, setDone] = useState(false)
  const ask = useForm(
    { email: '' },
    async ({ email }) => {
      await dataOf(api.POST('/v1/password/forgot', { body: { email: email!.trim() } }))
      setDone(true)
    },
    ({ email }) => ({ email: requiredError(email) }),
  )
  const set = useForm(
    { password: '' },
    async ({ password }) => {
      await dataOf(api.POST('/v1/password/reset', { body: { token, password: password! } }))
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
        <a class="button main" href="/painel/entrar">
          {t.signIn.title}
        </a>
      </Door>
    )
  return (
    <Door title={t.reset.title} lead={token === '' ? t.reset.lead : t.reset.chooseLead}>
      {token === '' ? (
        <Form of={ask} submit={t.reset.send}>
          <Field
            form={ask}
            name="email"
            type="email"
            label={t.signIn.email}
            autoComplete="username"
            isFirst
          />
        </Form>
      ) : (
        <Form of={set} submit={t.reset.set}>
          <NewPasswordField form={set} name="password" />
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
  const confirm = useAction(() => dataOf(api.POST('/v1/email/confirm', { body: { token } })))
  useEffect(() => void confirm.run(), [])
  return (
    <Door title={t.email.title}>
      {confirm.isBusy ? (
        <Loading />
      ) : confirm.problem ? (
        <Trouble of={confirm.problem} />
      ) : (
        <p>{t.email.done}</p>
      )}
      <a class="button main" href="/painel">
        {t.enrolment.go}
      </a>
    </Door>
  )
}
