import { useState } from 'preact/hooks'
import { del, get, patch, post, put, type Schemas, withId } from '../../core/api.ts'
import { signing } from '../../core/factor.ts'
import { moment } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { hasPasskeys } from '../../core/passkeys.ts'
import { refresh, useAction, useGet } from '../../core/query.ts'
import { holdSession } from '../../core/session.ts'
import { Loading, Moment, Page, Section, Trouble } from '../../parts/basics.tsx'
import { ActionButton, TextButton } from '../../parts/buttons.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, Form, required, requiredError, useForm } from '../../parts/form.tsx'
import { Switch } from '../../parts/switch.tsx'
import { announce } from '../../parts/toasts.tsx'
import { addPasskey, RecoveryCodes, TotpEnrolment } from './enrolment.tsx'
import { NewPasswordField, PasswordField, passwordError } from './sign-in-forms.tsx'

type Me = Schemas['Person']

/** The person's own page: name, password, second factors, browsers, and which notices come by mail. */
export const MePage = () => {
  const query = useGet('/v1/me')
  const { data } = query
  if (!data) return <Page title={t.nav.me} unread={query} />
  return (
    <Page title={t.nav.me} lead={data.email}>
      {data.factorFrozenUntil && (
        <p class="notice-line warn">{t.me.frozen(moment(data.factorFrozenUntil))}</p>
      )}
      <div class="cards">
        <Profile of={data} />
        <Factors of={data} />
        <Password of={data} />
        <Preferences />
      </div>
      <Sessions />
    </Page>
  )
}

const Profile = ({ of }: { of: Me }) => {
  const form = useForm(
    { name: of.name, email: of.email },
    async (values) => {
      const [name, email] = [values.name!.trim(), values.email!.trim()]
      const isNew = email.toLowerCase() !== of.email
      await signing(isNew ? [[t.me.newEmail, email]] : [], () =>
        patch('/v1/me', { body: { name, ...(isNew && { email }) } }),
      )
      await personChanged()
      announce(isNew ? t.me.confirmEmail : t.common.saved)
    },
    required('name', 'email'),
  )
  return (
    <Section title={t.me.profile}>
      <Form of={form} submit={t.common.save}>
        <Field name="name" label={t.common.name} autoComplete="name" maxLength={120} />
        <Field name="email" type="email" label={t.common.email} hint={t.me.emailHint} autoComplete="email" />
      </Form>
    </Section>
  )
}

const Password = ({ of }: { of: Me }) => {
  const form = useForm(
    { current: '', new: '' },
    async (values) => {
      await post('/v1/me/password', {
        body: { ...(of.hasPassword && { current: values.current! }), new: values.new! },
      })
      form.set('current', '')
      form.set('new', '')
      await personChanged()
      announce(t.me.passwordChanged)
    },
    (values) => ({
      current: of.hasPassword ? requiredError(values.current) : null,
      new: passwordError(values.new),
    }),
  )
  return (
    <Section title={t.signIn.password}>
      <p class="hint">{t.me.passwordText}</p>
      <Form of={form} submit={t.me.changePassword}>
        {of.hasPassword && <PasswordField name="current" label={t.me.currentPassword} />}
        <NewPasswordField name="new" />
      </Form>
    </Section>
  )
}

const Sessions = () => {
  const { data, problem, refresh: again } = useGet('/v1/me/sessions')
  const ended = () => {
    again()
    announce(t.me.ended)
  }
  const end = useAction(async (id: string) => {
    await del('/v1/me/sessions/{id}', withId(id))
    ended()
  })
  const endOthers = useAction(async () => {
    await post('/v1/me/sessions/end-others')
    ended()
  })
  return (
    <Section
      title={t.me.sessions}
      note={t.me.sessionsText}
      actions={data && data.data.length > 1 && <ActionButton of={endOthers} text={t.me.endOthers} />}
    >
      <Trouble of={problem ?? end.problem ?? endOthers.problem} />
      {!data && !problem && <Loading />}
      <ul class="rows">
        {data?.data.map(({ id, current, ip, userAgent, createdAt }) => (
          <li key={id}>
            <strong>{browserOf(userAgent)}</strong>
            <span class="muted">
              {ip} · <Moment at={createdAt} />
            </span>
            {current ? (
              <span class="muted">{t.me.thisOne}</span>
            ) : (
              <TextButton
                text={t.me.end}
                name={`${t.me.end} ${browserOf(userAgent)} ${ip}`}
                onClick={() => end.run(id)}
              />
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Browsers and systems by their mark in a user agent; the first match wins. */
const browsers = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrom/, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const systems = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
] as const

/** A browser and system as people call them. */
const browserOf = (agent: string): string => {
  const named = (names: typeof browsers | typeof systems) => names.find(([mark]) => mark.test(agent))?.[1]
  const browser = named(browsers) ?? agent.slice(0, 40)
  const system = named(systems)
  return system === undefined ? browser : `${browser} · ${system}`
}

const Preferences = () => {
  const { data, problem, refresh: again } = useGet('/v1/notifications/preferences')
  /** Choices that are being saved, so that no switch falls back meanwhile. */
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({})
  const save = useAction(async (kind: string, isOn: boolean) => {
    await put('/v1/notifications/preferences', { body: { mail: { [kind]: isOn } } })
    again()
    announce(t.common.saved)
  })
  const choose = async (kind: string, isOn: boolean): Promise<void> => {
    setChosen((before) => ({ ...before, [kind]: isOn }))
    if (!(await save.run(kind, isOn))) setChosen({})
  }
  if (!data) return problem ? <Trouble of={problem} retry={again} /> : <Loading rows={6} />
  return (
    <Section title={t.me.mails}>
      <p class="hint">{t.me.mailsText}</p>
      {(Object.entries(data.mail) as [keyof typeof data.mail, boolean][]).map(([kind, isOn]) => (
        <Switch
          key={kind}
          isOn={chosen[kind] ?? isOn}
          onChange={(isOn) => void choose(kind, isOn)}
          text={t.noticeKind[kind]}
        />
      ))}
      <Trouble of={save.problem} />
    </Section>
  )
}

/** Reads the person and the session again after a change of either. */
const personChanged = async (): Promise<void> => {
  refresh('/v1/me')
  holdSession(await get('/v1/session'))
}

/** The person's second factors, ways to add or replace one, and recovery codes. */
const Factors = ({ of }: { of: Schemas['Person'] }) => {
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
