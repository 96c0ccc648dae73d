import { useState } from 'preact/hooks'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { t } from '../../core/language.ts'
import { hasPasskeys, provePasskey } from '../../core/passkeys.ts'
import { useAction } from '../../core/query.ts'
import { holdHalfToken } from '../../core/session.ts'
import { Button, Trouble } from '../../parts/basics.tsx'
import { Field, Form, requiredError, useForm } from '../../parts/form.tsx'
import { Enrolment } from './enrolment.tsx'

type NextFactor = Schemas['SignInStep']
type PersonSession = Schemas['Session']

/** Signs in: e-mail and password, then the second factor; or a passkey, which is both. */
export const SignInForms = ({
  email = '',
  onNext,
  onDone,
}: {
  email?: string
  /** Told when the password was right. */
  onNext?: (next: NextFactor) => void
  onDone: (session: PersonSession) => void
}) => {
  const [passed, setPassed] = useState<{ next: NextFactor; person: string } | null>(null)
  if (passed !== null) return <NextStep {...passed} onDone={onDone} />
  const pass = (next: NextFactor, person: string) => {
    setPassed({ next, person })
    onNext?.(next)
  }
  return (
    <>
      <PasswordForm email={email} onNext={pass} />
      <PasskeyButton onDone={onDone} />
    </>
  )
}

/** What follows a password: the factor that the person has, or enrolling the first. */
export const NextStep = ({
  next,
  person,
  onDone,
}: {
  next: NextFactor
  person: string
  onDone: (session: PersonSession) => void
}) =>
  next.next === 'ENROL' ? (
    <Enrolment person={person} onDone={onDone} />
  ) : (
    <SecondFactorForm next={next} onDone={onDone} />
  )

const PasswordForm = ({
  email,
  onNext,
}: {
  email: string
  onNext: (next: NextFactor, email: string) => void
}) => {
  const form = useForm(
    { email, password: '' },
    async ({ email, password }) => {
      const body = { email: email!.trim(), password: password! }
      const next = await dataOf(api.POST('/v1/session', { body }))
      holdHalfToken(next.csrfToken)
      onNext(next, body.email)
    },
    ({ email, password }) => ({ email: requiredError(email), password: requiredError(password) }),
  )
  return (
    <Form of={form} submit={t.signIn.next}>
      <Field
        form={form}
        name="email"
        type="email"
        label={t.signIn.email}
        autoComplete="username"
        isFirst={email === ''}
      />
      <Field
        form={form}
        name="password"
        type="password"
        label={t.signIn.password}
        autoComplete="current-password"
        isFirst={email !== ''}
      />
    </Form>
  )
}

const PasskeyButton = ({ onDone }: { onDone: (session: PersonSession) => void }) => {
  const { run, isBusy, problem } = useAction(async () => {
    const options = await dataOf(api.POST('/v1/session/passkey/options'))
    const assertion = await provePasskey(options)
    onDone(await dataOf(api.POST('/v1/session/passkey', { body: { assertion } })))
  })
  if (!hasPasskeys()) return null
  return (
    <>
      <div class="or" aria-hidden="true">
        {t.common.or}
      </div>
      <Button icon="key" isBusy={isBusy} onClick={() => void run()}>
        {t.signIn.passkey}
      </Button>
      <Trouble of={problem} />
    </>
  )
}

/** The second factor after the password: a code, a passkey, or one of the recovery codes. */
const SecondFactorForm = ({
  next,
  onDone,
}: {
  next: NextFactor
  onDone: (session: PersonSession) => void
}) => {
  const [isRecovery, setRecovery] = useState(
    !next.methods.includes('totp') && !next.methods.includes('passkey'),
  )
  const form = useForm(
    { code: '' },
    async ({ code }) => {
      const text = code!.replace(/\s/g, '')
      const body = isRecovery ? { recoveryCode: text } : { totp: text }
      onDone(await dataOf(api.POST('/v1/session/second-factor', { body })))
    },
    ({ code }) => ({ code: requiredError(code) }),
  )
  return (
    <>
      <Form of={form} submit={t.signIn.enter}>
        <Field
          key={String(isRecovery)}
          form={form}
          name="code"
          label={isRecovery ? t.signIn.recoveryCode : t.factor.code}
          hint={isRecovery ? t.signIn.recoveryHint : t.factor.codeHint}
          autoComplete={isRecovery ? 'off' : 'one-time-code'}
          isFirst
          {...(!isRecovery && { inputMode: 'numeric' as const, maxLength: 7 })}
        />
      </Form>
      {next.methods.includes('passkey') && <PasskeyButton onDone={onDone} />}
      <button
        type="button"
        class="link"
        onClick={() => {
          form.set('code', '')
          setRecovery(!isRecovery)
        }}
      >
        {isRecovery ? t.signIn.useCode : t.signIn.useRecovery}
      </button>
    </>
  )
}
