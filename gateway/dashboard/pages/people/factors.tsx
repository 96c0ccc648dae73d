import { useState } from 'preact/hooks'
import { del, get, post, type Schemas, withId } from '../../core/api.ts'
import { signing } from '../../core/factor.ts'
import { t } from '../../core/language.ts'
import { hasPasskeys } from '../../core/passkeys.ts'
import { refresh, useAction } from '../../core/query.ts'
import { holdSession } from '../../core/session.ts'
import { Moment, Section, Trouble } from '../../parts/basics.tsx'
import { ActionButton, TextButton } from '../../parts/buttons.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { announce } from '../../parts/toasts.tsx'
import { addPasskey, RecoveryCodes, TotpEnrolment } from './enrolment.tsx'

/** Reads the person and the session again after a change of either. */
export const personChanged = async (): Promise<void> => {
  refresh('/v1/me')
  holdSession(await get('/v1/session'))
}

/** The second factors of a person, what replaces and adds to them, and the codes for when they are lost. */
export const Factors = ({ of }: { of: Schemas['Person'] }) => {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [isEnrolling, setEnrolling] = useState(false)
  const add = useAction(async () => {
    const name = t.me.passkeyName(of.passkeys.length + 1)
    const made = await signing([[t.me.newFactor, name]], () => addPasskey(name))
    await personChanged()
    if (made.length > 0) setCodes(made)
  })
  const renew = useAction(async () => {
    setCodes((await post('/v1/me/recovery-codes')).codes)
    await personChanged()
  })
  const remove = useAction(async (id: string) => {
    await del('/v1/me/passkeys/{id}', withId(id))
    await personChanged()
    announce(t.me.passkeyRemoved)
  })
  const hasTotp = of.factors.includes('totp')
  return (
    <Section title={t.team.factors}>
      <ul class="rows">
        <li>
          <strong>{t.team.factor.totp}</strong> <span class="muted">{hasTotp ? t.me.isOn : t.me.isOff}</span>
          <TextButton text={hasTotp ? t.me.replace : t.common.add} onClick={() => setEnrolling(true)} />
        </li>
        {of.passkeys.map(({ id, name, createdAt }) => (
          <li key={id}>
            <strong>{name}</strong>
            <span class="muted">
              {t.team.factor.passkey}, <Moment at={createdAt} style="day" />
            </span>
            <TextButton
              text={t.common.remove}
              name={`${t.common.remove} ${name}`}
              onClick={() => remove.run(id)}
            />
          </li>
        ))}
        <li>
          <strong>{t.enrolment.codes}</strong>{' '}
          <span class="muted">{t.me.codesLeft(of.recoveryCodesLeft)}</span>
          <TextButton text={t.me.newCodes} onClick={renew.run} />
        </li>
      </ul>
      <Trouble of={add.problem ?? renew.problem ?? remove.problem} />
      {hasPasskeys() && <ActionButton of={add} icon="key" text={t.me.addPasskey} />}
      {isEnrolling && (
        <Dialog title={t.team.factor.totp} onClose={() => setEnrolling(false)}>
          <TotpEnrolment
            onCodes={(made) => {
              setEnrolling(false)
              setCodes(made)
              void personChanged()
            }}
          />
        </Dialog>
      )}
      {codes && (
        <Dialog title={t.enrolment.codes} onClose={() => setCodes(null)} isFixed>
          <RecoveryCodes codes={codes} person={of.email} onSaved={() => setCodes(null)} />
        </Dialog>
      )}
    </Section>
  )
}
