import { api, dataOf } from '../core/api.ts'
import { type FactorQuestion, factorQuestion, signed } from '../core/factor.ts'
import { t } from '../core/language.ts'
import { base64url, hasPasskeys, provePasskey } from '../core/passkeys.ts'
import { useAction } from '../core/query.ts'
import { holdSession } from '../core/session.ts'
import { useStore } from '../core/store.ts'
import { Button, Facts, Trouble } from './basics.tsx'
import { Dialog } from './dialog.tsx'
import { Field, Form, requiredError, useForm } from './form.tsx'

/** Asks for a second factor when an operation needs one, and lets it go on. */
export const FactorDialog = () => {
  const question = useStore(factorQuestion)
  return question === null ? null : <Asking key={question.refusal?.requestId ?? ''} question={question} />
}

const Asking = ({ question }: { question: FactorQuestion }) => {
  const { kind, methods, operation, refusal, answer } = question
  const isForSession = kind === 'SESSION'
  const facts = useStore(signed)
  const form = useForm(
    { code: '' },
    async ({ code }) => {
      const totp = code!.replace(/\s/g, '')
      if (!isForSession) return answer({ header: `totp ${totp}` })
      holdSession(await dataOf(api.POST('/v1/session/step-up', { body: { totp } })))
      answer({ header: null })
    },
    ({ code }) => ({ code: requiredError(code) }),
  )
  const passkey = useAction(async () => {
    const { verb, path, body } = operation
    if (isForSession) {
      const options = await dataOf(api.POST('/v1/session/challenge', { body: {} }))
      const assertion = await provePasskey(options)
      holdSession(await dataOf(api.POST('/v1/session/step-up', { body: { assertion } })))
      return answer({ header: null })
    }
    const options = await dataOf(
      api.POST('/v1/session/challenge', {
        body: { verb, path, ...(body !== '' && { body: JSON.parse(body) }) },
      }),
    )
    const assertion = await provePasskey(options)
    answer({ header: `passkey ${base64url(new TextEncoder().encode(JSON.stringify(assertion)))}` })
  })
  return (
    <Dialog title={isForSession ? t.factor.stepUp : t.factor.sign} onClose={() => answer(null)}>
      <p>{isForSession ? t.factor.stepUpText : t.factor.signText}</p>
      {!isForSession && facts.length > 0 && <Facts of={facts} />}
      <Trouble of={refusal} />
      {methods.includes('totp') && (
        <Form of={form} submit={t.factor.confirm} onCancel={() => answer(null)}>
          <Field
            form={form}
            name="code"
            label={t.factor.code}
            hint={t.factor.codeHint}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={7}
            isFirst
          />
        </Form>
      )}
      {methods.includes('passkey') && hasPasskeys() && (
        <>
          <Button icon="key" isBusy={passkey.isBusy} onClick={() => void passkey.run()}>
            {t.factor.passkey}
          </Button>
          <Trouble of={passkey.problem} />
        </>
      )}
    </Dialog>
  )
}
