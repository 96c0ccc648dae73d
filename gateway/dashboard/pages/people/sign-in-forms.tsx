import { useState } from 'preact/hooks'
import { post, type Schemas } from '../../core/api.ts'
import { t } from '../../core/language.ts'
import { hasPasskeys, provePasskey } from '../../core/passkeys.ts'
import { useAction } from '../../core/query.ts'
import { holdHalfToken } from '../../core/session.ts'
import { Trouble } from '../../parts/basics.tsx'
import { ActionButton, TextButton } from '../../parts/buttons.tsx'
import { CodeField } from '../../parts/common-fields.tsx'
import { Field, Form, required, useForm } from '../../parts/form.tsx'
import { Enrolment, Or } from './enrolment.tsx'

type NextFactor = Schemas['SignInStep']
type PersonSession = Schemas['Session']

type SignInFormsProps = {
  email?: string
  /** Called when the password was right. */
  onNext?: (next: NextFactor) => void
  onDone: (session: PersonSession) => void
}

/** Signs in: e-mail and password, then the second factor; or a passkey, which is both. */
export const SignInForms = ({ email = '', onNext, onDone }: SignInFormsProps) => {
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

type NextStepProps = { next: NextFactor; person: string; onDone: (session: PersonSession) => void }

/** What follows a password: the factor that the person has, or enrolling the first. */
export const NextStep = ({ next, person, onDone }: NextStepProps) =>
  next.next === 'ENROL' ? (
    <Enrolment person={person} onDone={onDone} />
  ) : (
    <SecondFactorForm next={next} onDone={onDone} />
  )

type PasswordFormProps = { email: string; onNext: (next: NextFactor, email: string) => void }

const PasswordForm = ({ email, onNext }: PasswordFormProps) => {
  const form = useForm(
    { email, password: '' },
    async ({ email, password }) => {
      const body = { email: email!.trim(), password: password! }
      const next = await post('/v1/session', { body })
      holdHalfToken(next.csrfToken)
      onNext(next, body.email)
    },
    required('email', 'password'),
  )
  return (
    <Form of={form} submit={t.signIn.next}>
      <UserField isFirst={email === ''} />
      <PasswordField name="password" label={t.signIn.password} isFirst={email !== ''} />
    </Form>
  )
}

/** The e-mail address that a person signs in with. */
export const UserField = ({ isFirst = true }: { isFirst?: boolean }) => (
  <Field name="email" type="email" label={t.common.email} autoComplete="username" isFirst={isFirst} />
)

/** A password that the person has. */
export const PasswordField = (props: { name: string; label: string; isFirst?: boolean }) => (
  <Field {...props} type="password" autoComplete="current-password" />
)

/** A new password, with what makes a good one. */
export const NewPasswordField = ({ name }: { name: string }) => (
  <Field
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

const PasskeyButton = ({ onDone }: { onDone: (session: PersonSession) => void }) => {
  const enter = useAction(async () => {
    const assertion = await provePasskey(await post('/v1/session/passkey/options'))
    onDone(await post('/v1/session/passkey', { body: { assertion } }))
  })
  if (!hasPasskeys()) return null
  return (
    <>
      <Or />
      <ActionButton of={enter} icon="key" text={t.signIn.passkey} />
      <Trouble of={enter.problem} />
    </>
  )
}

type SecondFactorFormProps = { next: NextFactor; onDone: (session: PersonSession) => void }

/** The second factor after the password: a code, a passkey, or one of the recovery codes. */
const SecondFactorForm = ({ next, onDone }: SecondFactorFormProps) => {
  const [isRecovery, setRecovery] = useState(
    !next.methods.includes('totp') && !next.methods.includes('passkey'),
  )
  const form = useForm(
    { code: '' },
    async ({ code }) => {
      const text = code!.replace(/\s/g, '')
      const body = isRecovery ? { recoveryCode: text } : { totp: text }
      onDone(await post('/v1/session/second-factor', { body }))
    },
    required('code'),
  )
  return (
    <>
      <Form of={form} submit={t.signIn.title}>
        {isRecovery ? (
          <Field
            key="recovery"
            name="code"
            label={t.signIn.recoveryCode}
            hint={t.signIn.recoveryHint}
            autoComplete="off"
            isFirst
          />
        ) : (
          <CodeField hint={t.factor.codeHint} />
        )}
      </Form>
      {next.methods.includes('passkey') && <PasskeyButton onDone={onDone} />}
      <TextButton
        text={isRecovery ? t.signIn.useCode : t.signIn.useRecovery}
        onClick={() => {
          form.set('code', '')
          setRecovery(!isRecovery)
        }}
      />
    </>
  )
}
