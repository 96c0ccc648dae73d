import { post } from '../core/api.ts'
import { type FactorQuestion, factorQuestion, signed } from '../core/factor.ts'
import { t } from '../core/language.ts'
import { base64url, hasPasskeys, provePasskey } from '../core/passkeys.ts'
import { useAction } from '../core/query.ts'
import { holdSession } from '../core/session.ts'
import { useStore } from '../core/store.ts'
import { Facts, Trouble } from './basics.tsx'
import { ActionButton } from './buttons.tsx'
import { CodeField } from './common-fields.tsx'
import { Dialog } from './dialog.tsx'
import { Form, required, useForm } from './form.tsx'

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
      holdSession(await post('/v1/session/step-up', { body: { totp } }))
      answer({ header: null })
    },
    required('code'),
  )
  const passkey = useAction(async () => {
    const { verb, path, body } = operation
    if (isForSession) {
      const assertion = await provePasskey(await post('/v1/session/challenge', { body: {} }))
      holdSession(await post('/v1/session/step-up', { body: { assertion } }))
      return answer({ header: null })
    }
    const signed = { verb, path, ...(body !== '' && { body: JSON.parse(body) }) }
    const assertion = await provePasskey(await post('/v1/session/challenge', { body: signed }))
    answer({ header: `passkey ${base64url(new TextEncoder().encode(JSON.stringify(assertion)))}` })
  })
  return (
    <Dialog title={isForSession ? t.factor.stepUp : t.factor.sign} onClose={() => answer(null)}>
      <p>{isForSession ? t.factor.stepUpText : t.factor.signText}</p>
      {!isForSession && facts.length > 0 && <Facts of={facts} />}
      <Trouble of={refusal} />
      {methods.includes('totp') && (
        <Form of={form} submit={t.factor.confirm} onCancel={() => answer(null)}>
          <CodeField hint={t.factor.codeHint} />
        </Form>
      )}
      {methods.includes('passkey') && hasPasskeys() && (
        <>
          <ActionButton of={passkey} icon="key" text={t.factor.passkey} />
          <Trouble of={passkey.problem} />
        </>
      )}
    </Dialog>
  )
}
