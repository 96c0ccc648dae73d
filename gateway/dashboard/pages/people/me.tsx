import { useState } from 'preact/hooks'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { signing } from '../../core/factor.ts'
import { moment } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { hasPasskeys } from '../../core/passkeys.ts'
import { refresh, useAction, useGet } from '../../core/query.ts'
import { holdSession } from '../../core/session.ts'
import { Button, Loading, Moment, Page, Section, Trouble } from '../../parts/basics.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, Form, requiredError, useForm } from '../../parts/form.tsx'
import { announce } from '../../parts/toasts.tsx'
import { addPasskey, RecoveryCodes, TotpEnrolment } from './enrolment.tsx'
import { NewPasswordField, passwordError } from './sign-in.tsx'

type Me = Schemas['Person']

/** Oneself: name, password, second factors, browsers, and which notices come by mail. */
export const MePage = () => {
  const { data, problem, refresh: again } = useGet('/v1/me')
  if (!data)
    return (
      <Page title={t.nav.me}>{problem ? <Trouble of={problem} retry={again} /> : <Loading rows={6} />}</Page>
    )
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

const changed = async (): Promise<void> => {
  refresh('/v1/me')
  holdSession(await dataOf(api.GET('/v1/session')))
}

const Profile = ({ of }: { of: Me }) => {
  const form = useForm(
    { name: of.name, email: of.email },
    async ({ name, email }) => {
      const isNew = email!.trim().toLowerCase() !== of.email
      const body = { name: name!.trim(), ...(isNew && { email: email!.trim() }) }
      await signing(isNew ? [[t.me.newEmail, email!.trim()]] : [], () =>
        dataOf(api.PATCH('/v1/me', { body })),
      )
      await changed()
      announce(isNew ? t.me.confirmEmail : t.common.saved)
    },
    ({ name, email }) => ({ name: requiredError(name), email: requiredError(email) }),
  )
  return (
    <Section title={t.me.profile}>
      <Form of={form} submit={t.common.save}>
        <Field form={form} name="name" label={t.common.name} autoComplete="name" maxLength={120} />
        <Field
          form={form}
          name="email"
          type="email"
          label={t.common.email}
          hint={t.me.emailHint}
          autoComplete="email"
        />
      </Form>
    </Section>
  )
}

const Password = ({ of }: { of: Me }) => {
  const form = useForm(
    { current: '', new: '' },
    async (values) => {
      await dataOf(
        api.POST('/v1/me/password', {
          body: { ...(of.hasPassword && { current: values.current! }), new: values.new! },
        }),
      )
      form.set('current', '')
      form.set('new', '')
      await changed()
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
        {of.hasPassword && (
          <Field
            form={form}
            name="current"
            type="password"
            label={t.me.currentPassword}
            autoComplete="current-password"
          />
        )}
        <NewPasswordField form={form} name="new" />
      </Form>
    </Section>
  )
}

const Factors = ({ of }: { of: Me }) => {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [isEnrolling, setEnrolling] = useState(false)
  const add = useAction(async () => {
    const name = t.me.passkeyName(of.passkeys.length + 1)
    const made = await signing([[t.me.newFactor, name]], () => addPasskey(name))
    await changed()
    if (made.length > 0) setCodes(made)
  })
  const renew = useAction(async () => {
    setCodes((await dataOf(api.POST('/v1/me/recovery-codes'))).codes)
    await changed()
  })
  const remove = useAction(async (id: string) => {
    await dataOf(api.DELETE('/v1/me/passkeys/{id}', { params: { path: { id } } }))
    await changed()
    announce(t.me.passkeyRemoved)
  })
  return (
    <Section title={t.me.factors}>
      <ul class="rows">
        <li>
          <strong>{t.team.factor.totp}</strong>{' '}
          <span class="muted">{of.factors.includes('totp') ? t.me.isOn : t.me.isOff}</span>
          <button type="button" class="link" onClick={() => setEnrolling(true)}>
            {of.factors.includes('totp') ? t.me.replace : t.common.add}
          </button>
        </li>
        {of.passkeys.map(({ id, name, createdAt }) => (
          <li key={id}>
            <strong>{name}</strong>
            <span class="muted">
              {t.team.factor.passkey}, <Moment at={createdAt} style="day" />
            </span>
            <button
              type="button"
              class="link"
              aria-label={`${t.common.remove} ${name}`}
              onClick={() => void remove.run(id)}
            >
              {t.common.remove}
            </button>
          </li>
        ))}
        <li>
          <strong>{t.enrolment.codes}</strong>{' '}
          <span class="muted">{t.me.codesLeft(of.recoveryCodesLeft)}</span>
          <button type="button" class="link" onClick={() => void renew.run()}>
            {t.me.newCodes}
          </button>
        </li>
      </ul>
      <Trouble of={add.problem ?? renew.problem ?? remove.problem} />
      {hasPasskeys() && (
        <Button icon="key" isBusy={add.isBusy} onClick={() => void add.run()}>
          {t.me.addPasskey}
        </Button>
      )}
      {isEnrolling && (
        <Dialog title={t.team.factor.totp} onClose={() => setEnrolling(false)}>
          <TotpEnrolment
            onCodes={(made) => {
              setEnrolling(false)
              setCodes(made)
              void changed()
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

const Sessions = () => {
  const { data, problem, refresh: again } = useGet('/v1/me/sessions')
  const end = useAction(async (id: string) => {
    await dataOf(api.DELETE('/v1/me/sessions/{id}', { params: { path: { id } } }))
    again()
    announce(t.me.ended)
  })
  const endOthers = useAction(async () => {
    await dataOf(api.POST('/v1/me/sessions/end-others'))
    again()
    announce(t.me.ended)
  })
  return (
    <Section
      title={t.me.sessions}
      note={t.me.sessionsText}
      actions={
        data &&
        data.data.length > 1 && (
          <Button isBusy={endOthers.isBusy} onClick={() => void endOthers.run()}>
            {t.me.endOthers}
          </Button>
        )
      }
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
              <button
                type="button"
                class="link"
                aria-label={`${t.me.end} ${browserOf(userAgent)} ${ip}`}
                onClick={() => void end.run(id)}
              >
                {t.me.end}
              </button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** A browser and system as people call them. */
const browserOf = (agent: string): string => {
  const browser = /Edg\//.test(agent)
    ? 'Edge'
    : /Firefox\//.test(agent)
      ? 'Firefox'
      : /Chrom/.test(agent)
        ? 'Chrome'
        : /Safari\//.test(agent)
          ? 'Safari'
          : agent.slice(0, 40)
  const system = /Windows/.test(agent)
    ? 'Windows'
    : /Android/.test(agent)
      ? 'Android'
      : /iPhone|iPad/.test(agent)
        ? 'iOS'
        : /Mac OS/.test(agent)
          ? 'macOS'
          : /Linux/.test(agent)
            ? 'Linux'
            : ''
  return system === '' ? browser : `${browser} · ${system}`
}

const Preferences = () => {
  const { data, problem, refresh: again } = useGet('/v1/notifications/preferences')
  /** What is on its way, so that no switch falls back meanwhile. */
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({})
  const save = useAction(async (kind: string, isOn: boolean) => {
    await dataOf(api.PUT('/v1/notifications/preferences', { body: { mail: { [kind]: isOn } } }))
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
        <label key={kind} class="switch">
          <input
            type="checkbox"
            checked={chosen[kind] ?? isOn}
            onChange={(event) => void choose(kind, event.currentTarget.checked)}
          />
          <span>{t.noticeKind[kind]}</span>
        </label>
      ))}
      <Trouble of={save.problem} />
    </Section>
  )
}
