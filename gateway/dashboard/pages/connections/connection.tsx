import { useState } from 'preact/hooks'
import { post, withId } from '../../core/api.ts'
import { moment } from '../../core/format.ts'
import { docsPath, t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { can, sessionStore } from '../../core/session.ts'
import { PersonName } from '../../parts/actor.tsx'
import { Ago, Button, Copy, Facts, Page, Section, Trouble } from '../../parts/basics.tsx'
import { ActionButton } from '../../parts/buttons.tsx'
import { instant, SplitPage } from '../../parts/facts.tsx'
import { Status } from '../../parts/labels.tsx'
import { useChange } from '../../parts/toasts.tsx'
import { History } from '../account/history.tsx'
import { ActDialog, type ConnectionAct } from './connection-acts.tsx'
import { CertificateEnd, type Connection, Health, railsText } from './connection-labels.tsx'
import { saying, withConnectionTexts } from './connection-texts.tsx'
import { labelOf } from './setting-fields.tsx'

/** One connection: how it fares, what it was given, what can be done with it, and who did what. */
export const ConnectionPage = withConnectionTexts<{ id: string }>(
  () => saying?.one ?? t.nav.connections,
  ({ id }) => {
    const query = useGet('/v1/connections/{id}', { path: { id } })
    const { data, problem } = query
    const [act, setAct] = useState<ConnectionAct | null>(null)
    const verify = useChange(
      () => post('/v1/connections/{id}/verify', withId(id)),
      saying.verified,
      '/v1/connections',
      '/v1/audit',
    )
    const back = { href: pathTo('conexoes'), text: t.nav.connections }
    if (problem || !data) return <Page title={saying.one} back={back} unread={query} />
    return (
      <Page
        back={back}
        title={data.providerLabel}
        status={<Status is={data.status} of="connection" />}
        lead={<Copy text={data.id} isShort />}
        actions={can('company.manage') && <Actions of={data} verify={verify} onAct={setAct} />}
      >
        <Trouble of={verify.problem} />
        <WhatNext of={data} />
        <SplitPage side={<Settings of={data} />}>
          <Standing of={data} />
          <History id={id} />
        </SplitPage>
        {act && <ActDialog act={act} of={data} onClose={() => setAct(null)} />}
      </Page>
    )
  },
)

type ActionsProps = {
  of: Connection
  verify: { isBusy: boolean; run: () => Promise<unknown> }
  onAct: (act: ConnectionAct) => void
}

/** What the state allows; first what comes next. */
const Actions = ({ of, verify, onAct }: ActionsProps) => {
  const { status, suspendedBecause, activationRequestedBy, formerCredentialsUntil } = of
  const isDraft = status === 'DRAFT'
  if (status === 'RETIRED') return null
  return (
    <>
      {status === 'VERIFIED' && activationRequestedBy !== meId() && (
        <Button
          tone="main"
          icon="play"
          onClick={() => onAct('activate')}
          text={activationRequestedBy === null ? saying.activate : saying.confirm}
        />
      )}
      {(suspendedBecause === 'REQUESTED' || suspendedBecause === 'DATA_RESTORED') && (
        <Button tone="main" icon="play" onClick={() => onAct('resume')} text={saying.resume} />
      )}
      <ActionButton
        of={verify}
        icon="check"
        {...(isDraft && { tone: 'main' })}
        text={isDraft ? saying.verify : saying.verifyNow}
      />
      <Button icon="key" onClick={() => onAct('rotate')} text={saying.rotate} />
      {formerCredentialsUntil && (
        <Button icon="undo" onClick={() => onAct('restore')} text={saying.restore} />
      )}
      {status === 'ACTIVE' && <Button icon="pause" onClick={() => onAct('suspend')} text={saying.suspend} />}
      <Button tone="quiet" icon="ban" onClick={() => onAct('retire')} text={saying.retire} />
    </>
  )
}

const meId = (): string | undefined => sessionStore.get()?.person.id

/** The next step, or why nothing new goes by it. */
const WhatNext = ({ of }: { of: Connection }) => {
  const { status, suspendedBecause, activationRequestedBy: by, activationRequestedAt: at } = of
  if (by !== null && at !== null)
    return (
      <p class="notice-line warn">
        <span>
          {by === meId() ? (
            saying.ownWaits(moment(at))
          ) : (
            <>
              <PersonName id={by} /> {saying.waits(moment(at))}
            </>
          )}
        </span>
      </p>
    )
  if (status === 'DRAFT' || status === 'VERIFIED')
    return <p class="notice-line calm">{saying.next[status]}</p>
  if (suspendedBecause !== null) return <p class="notice-line warn">{saying.suspended[suspendedBecause]}</p>
  return status === 'RETIRED' ? <p class="notice-line calm">{saying.retired}</p> : null
}

const Standing = ({ of }: { of: Connection }) => (
  <Section title={t.common.details}>
    <Facts
      of={[
        [saying.rails, railsText(of)],
        [saying.role, saying.roles[of.role]],
        [saying.health, of.status !== 'RETIRED' && <Health of={of} />],
        [saying.said, of.problem],
        [saying.checked, of.checkedAt && <Ago at={of.checkedAt} />],
        [
          saying.reports,
          of.status !== 'RETIRED' && (
            <>
              {saying.notices[of.notices]}
              {of.notices !== 'REPORTED' && (
                <>
                  {'. '}
                  <a href={`${docsPath()}/going-live`}>{saying.noticesHow}</a>
                </>
              )}
            </>
          ),
        ],
        [saying.subject, of.certificateSubject],
        [saying.endsAt, of.certificateEndsAt ? <CertificateEnd of={of} /> : saying.noCertificate],
        [t.common.createdAt, instant(of.createdAt)],
        [saying.activeSince, instant(of.updatedAt)],
      ]}
    />
    {of.formerCredentialsUntil && <p class="hint">{saying.former(moment(of.formerCredentialsUntil))}</p>}
  </Section>
)

const Settings = ({ of: { settings } }: { of: Connection }) => {
  const rows = (isOfOperator: boolean) => (
    <Facts
      of={settings
        .filter(({ name }) => ofOperators.test(name) === isOfOperator)
        .map(({ name, secret, last4 }) => [
          labelOf(name),
          secret ? <span class="muted">{saying.sealed}</span> : last4 ? <code>…{last4}</code> : saying.isSet,
        ])}
    />
  )
  return (
    <Section title={saying.settings}>
      {rows(false)}
      <p class="hint">{saying.settingsText}</p>
      {settings.some(({ name }) => ofOperators.test(name)) && (
        <details class="form-part">
          <summary>{saying.ofOperators}</summary>
          {rows(true)}
        </details>
      )}
    </Section>
  )
}

const ofOperators = /^host$|Address$|^serverAuthority$|^notice/
