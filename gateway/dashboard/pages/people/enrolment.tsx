import { useEffect, useState } from 'preact/hooks'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { signing } from '../../core/factor.ts'
import { t } from '../../core/language.ts'
import { hasPasskeys, makePasskey } from '../../core/passkeys.ts'
import { useAction } from '../../core/query.ts'
import { holdSession } from '../../core/session.ts'
import { Button, Copy, copy, Loading, Trouble } from '../../parts/basics.tsx'
import { Field, Form, requiredError, useForm } from '../../parts/form.tsx'

type PersonSession = Schemas['Session']
type TotpSecret = Schemas['TotpEnrolment']

/** Enrols a second factor, and shows the recovery codes once. */
export const Enrolment = ({
  person,
  onDone,
}: {
  person: string
  onDone: (session: PersonSession) => void
}) => {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const finish = useAction(async () => onDone(await dataOf(api.GET('/v1/session'))))
  const passkey = useAction(async () => {
    const made = await addPasskey(t.enrolment.thisDevice)
    if (made.length > 0) setCodes(made)
    else onDone(await dataOf(api.GET('/v1/session')))
  })
  if (codes !== null) return <RecoveryCodes codes={codes} person={person} onSaved={() => void finish.run()} />
  return (
    <>
      <TotpEnrolment onCodes={setCodes} />
      {hasPasskeys() && (
        <>
          <div class="or" aria-hidden="true">
            {t.common.or}
          </div>
          <Button icon="key" isBusy={passkey.isBusy} onClick={() => void passkey.run()}>
            {t.enrolment.passkey}
          </Button>
          <p class="hint">{t.enrolment.passkeyText}</p>
          <Trouble of={passkey.problem} />
        </>
      )}
    </>
  )
}

/** Registers a passkey of this device under a name. */
export const addPasskey = async (name: string): Promise<readonly string[]> => {
  const options = await dataOf(api.POST('/v1/me/passkeys/options'))
  const credential = await makePasskey(options)
  const { codes } = await dataOf(api.POST('/v1/me/passkeys', { body: { name, credential } }))
  return codes
}

/** Shows the secret for an authenticator app, and takes the first code that it makes. */
export const TotpEnrolment = ({ onCodes }: { onCodes: (codes: readonly string[]) => void }) => {
  const [secret, setSecret] = useState<TotpSecret | null>(null)
  const begin = useAction(async () => {
    holdSession(await dataOf(api.GET('/v1/session')))
    const facts = [[t.me.newFactor, t.team.factor.totp]] as const
    setSecret(await signing(facts, () => dataOf(api.POST('/v1/me/totp'))))
  })
  useEffect(() => void begin.run(), [])
  const form = useForm(
    { code: '' },
    async ({ code }) => {
      const answer = await dataOf(
        api.POST('/v1/me/totp/confirm', { body: { code: code!.replace(/\s/g, '') } }),
      )
      onCodes(answer.codes)
    },
    ({ code }) => ({ code: requiredError(code) }),
  )
  if (secret === null)
    return begin.problem ? <Trouble of={begin.problem} retry={() => void begin.run()} /> : <Loading />
  return (
    <>
      <ol class="steps">
        <li>
          {t.enrolment.scan}
          <img class="qr" src={secret.qrCode} alt={t.enrolment.qrAlt} width={180} height={180} />
          <span class="hint">{t.enrolment.typeSecret}</span>
          <Copy text={secret.secret} label={t.enrolment.secret} />
        </li>
        <li>{t.enrolment.typeCode}</li>
      </ol>
      <Form of={form} submit={t.enrolment.confirm}>
        <Field
          form={form}
          name="code"
          label={t.factor.code}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          isFirst
        />
      </Form>
    </>
  )
}

/** Codes that are shown once: the way on opens when they are saved. */
export const RecoveryCodes = ({
  codes,
  person,
  onSaved,
}: {
  codes: readonly string[]
  person: string
  onSaved: () => void
}) => {
  const [isSaved, setSaved] = useState(false)
  const text = `${t.enrolment.codesFile(person)}\n\n${codes.join('\n')}\n`
  return (
    <>
      <h2>{t.enrolment.codes}</h2>
      <p>{t.enrolment.codesText}</p>
      <ul class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        <Button icon="copy" onClick={() => void copy(codes.join('\n'))}>
          {t.common.copy}
        </Button>
        <a
          class="button plain"
          download={t.enrolment.codesName}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
        >
          {t.common.download}
        </a>
      </div>
      <label class="switch">
        <input
          type="checkbox"
          checked={isSaved}
          onChange={(event) => setSaved(event.currentTarget.checked)}
        />
        <span>{t.enrolment.saved}</span>
      </label>
      <Button tone="main" isDisabled={!isSaved} onClick={onSaved}>
        {t.enrolment.go}
      </Button>
    </>
  )
}
