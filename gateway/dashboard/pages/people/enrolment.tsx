import { useEffect, useState } from 'preact/hooks'
import { get, post, type Schemas } from '../../core/api.ts'
import { signing } from '../../core/factor.ts'
import { t } from '../../core/language.ts'
import { hasPasskeys, makePasskey } from '../../core/passkeys.ts'
import { useAction } from '../../core/query.ts'
import { holdSession } from '../../core/session.ts'
import { Button, Copy, copy, Loading, Trouble } from '../../parts/basics.tsx'
import { ActionButton } from '../../parts/buttons.tsx'
import { CodeField } from '../../parts/common-fields.tsx'
import { Form, required, useForm } from '../../parts/form.tsx'
import { Switch } from '../../parts/switch.tsx'

type PersonSession = Schemas['Session']

type EnrolmentProps = { person: string; onDone: (session: PersonSession) => void }

/** Enrols a second factor, and shows the recovery codes once. */
export const Enrolment = ({ person, onDone }: EnrolmentProps) => {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const finish = useAction(async () => onDone(await get('/v1/session')))
  const passkey = useAction(async () => {
    const made = await addPasskey(t.enrolment.thisDevice)
    if (made.length > 0) setCodes(made)
    else onDone(await get('/v1/session'))
  })
  if (codes !== null) return <RecoveryCodes codes={codes} person={person} onSaved={() => void finish.run()} />
  return (
    <>
      <TotpEnrolment onCodes={setCodes} />
      {hasPasskeys() && (
        <>
          <Or />
          <ActionButton of={passkey} icon="key" text={t.enrolment.passkey} />
          <p class="hint">{t.enrolment.passkeyText}</p>
          <Trouble of={passkey.problem} />
        </>
      )}
    </>
  )
}

/** The "or" between two ways to go on. */
export const Or = () => (
  <div class="or" aria-hidden="true">
    {t.common.or}
  </div>
)

/** Registers a passkey of this device under a name. */
export const addPasskey = async (name: string): Promise<readonly string[]> => {
  const credential = await makePasskey(await post('/v1/me/passkeys/options'))
  const { codes } = await post('/v1/me/passkeys', { body: { name, credential } })
  return codes
}

/** Shows the secret for an authenticator app, and takes the first code that it makes. */
export const TotpEnrolment = ({ onCodes }: { onCodes: (codes: readonly string[]) => void }) => {
  const [secret, setSecret] = useState<Schemas['TotpEnrolment'] | null>(null)
  const begin = useAction(async () => {
    holdSession(await get('/v1/session'))
    const facts = [[t.me.newFactor, t.team.factor.totp]] as const
    setSecret(await signing(facts, () => post('/v1/me/totp')))
  })
  useEffect(() => void begin.run(), [])
  const form = useForm(
    { code: '' },
    async ({ code }) => {
      const { codes } = await post('/v1/me/totp/confirm', { body: { code: code!.replace(/\s/g, '') } })
      onCodes(codes)
    },
    required('code'),
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
      <Form of={form} submit={t.factor.confirm}>
        <CodeField />
      </Form>
    </>
  )
}

type RecoveryCodesProps = { codes: readonly string[]; person: string; onSaved: () => void }

/** Recovery codes, shown once; the person goes on after saying that they are saved. */
export const RecoveryCodes = ({ codes, person, onSaved }: RecoveryCodesProps) => {
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
        <Button icon="copy" onClick={() => void copy(codes.join('\n'))} text={t.common.copy} />
        <a
          class="button plain"
          download={t.enrolment.codesName}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
        >
          {t.common.download}
        </a>
      </div>
      <Switch isOn={isSaved} onChange={setSaved} text={t.enrolment.saved} />
      <Button tone="main" isDisabled={!isSaved} onClick={onSaved} text={t.enrolment.go} />
    </>
  )
}
