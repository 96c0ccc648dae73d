import { useState } from 'preact/hooks'
import { del, post, type Schemas, withId } from '../../core/api.ts'
import { moment } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useAction, useGet } from '../../core/query.ts'
import { can, sessionStore } from '../../core/session.ts'
import { Ago, Badge, Loading, Page, Trouble } from '../../parts/basics.tsx'
import { TextButton } from '../../parts/buttons.tsx'
import { CopyBox } from '../../parts/copy-box.tsx'
import { Decide } from '../../parts/decide.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FactSection } from '../../parts/facts.tsx'
import { createButton } from '../../parts/list-page.tsx'
import { DataTable, Who } from '../../parts/table.tsx'
import { done, useChange } from '../../parts/toasts.tsx'
import { type Act, InviteDialog, MemberDialog, roleNames } from './team-dialogs.tsx'

type Member = Schemas['Member']
type OpenInvitation = Schemas['Invitation']
type RoleName = (typeof roleNames)[number]

const roleText = (role: RoleName | null): string => (role === null ? t.team.noRole : t.role[role])

/** The people of the company, what each may do, and invitations. */
export const Team = () => {
  const { data, problem, refresh: again } = useGet('/v1/team')
  const [act, setAct] = useState<Act | 'invite' | null>(null)
  const [link, setLink] = useState<string | null>(null)
  const close = () => setAct(null)
  return (
    <Page title={t.nav.team} actions={createButton('team.manage', t.team.invite, () => setAct('invite'))}>
      <Trouble of={problem} retry={again} />
      {!data && !problem && <Loading rows={5} />}
      {data && <Members of={data.members} onAct={setAct} />}
      {data && data.invitations.length > 0 && (
        <>
          <h2 class="gap">{t.team.invitations}</h2>
          <Invitations of={data.invitations} onLink={setLink} />
        </>
      )}
      {/* Below the rows, which would push it down. */}
      {(data || problem) && (
        <FactSection
          title={t.team.rolesTitle}
          of={roleNames.map((role) => [t.role[role], t.team.roleText[role]])}
        />
      )}
      {act === 'invite' && <InviteDialog onClose={close} onLink={setLink} />}
      {act !== null && act !== 'invite' && <MemberDialog {...act} onClose={close} />}
      {link && (
        <Dialog title={t.team.link} onClose={() => setLink(null)}>
          <p>{t.team.linkText}</p>
          <CopyBox label="Link" text={link} />
        </Dialog>
      )}
    </Page>
  )
}

const Members = ({ of, onAct }: { of: readonly Member[]; onAct: (act: Act) => void }) => {
  const me = sessionStore.get()?.person.id
  return (
    <DataTable
      label={t.nav.team}
      rows={of}
      columns={[
        [
          'name',
          t.common.name,
          ({ name, email, personId }) => (
            <Who
              name={
                <>
                  <strong>{name}</strong> {personId === me && <span class="muted">({t.team.you})</span>}
                </>
              }
              sub={email}
            />
          ),
        ],
        [
          'roles',
          t.environment.PRODUCTION,
          ({ roles, pendingChange: change }) => (
            <>
              {roleText(roles.PRODUCTION)}
              {change && (
                <small class="sub warn-text">{t.team.pending(roleText(change.roles.PRODUCTION))}</small>
              )}
            </>
          ),
        ],
        ['sandbox', t.environment.SANDBOX, ({ roles }) => roleText(roles.SANDBOX), 'medium'],
        ['factors', t.team.factors, factorsOf, 'wide'],
        ['seen', t.team.seen, ({ lastSeenAt }) => (lastSeenAt ? <Ago at={lastSeenAt} /> : '–'), 'when'],
        ['act', '', (member) => member.personId !== me && <MemberActs of={member} onAct={onAct} />, 'end'],
      ]}
    />
  )
}

const factorsOf = ({ factors, status }: Member) =>
  status === 'NOT_ENROLLED' ? (
    <Badge tone="warn">{t.team.notEnrolled}</Badge>
  ) : (
    factors.map((factor) => t.team.factor[factor as 'totp'] ?? factor).join(', ')
  )

const MemberActs = ({ of, onAct }: { of: Member; onAct: (act: Act) => void }) => (
  <span class="row-acts">
    <PendingRoles of={of.pendingChange} name={of.name} />
    {can('team.manage') &&
      (['roles', 'factor', 'sessions', 'remove'] as const).map((kind) => (
        <TextButton
          key={kind}
          text={t.team.acts[kind]}
          name={`${t.team.acts[kind]}: ${of.name}`}
          onClick={() => onAct({ kind, of })}
        />
      ))}
  </span>
)

type InvitationsProps = { of: readonly OpenInvitation[]; onLink: (link: string | null) => void }

const Invitations = ({ of, onLink }: InvitationsProps) => (
  <DataTable
    label={t.team.invitations}
    rows={of}
    columns={[
      [
        'email',
        t.common.email,
        ({ email, name }) => (
          <>
            {email}
            <small class="sub">{name}</small>
          </>
        ),
      ],
      [
        'roles',
        t.environment.PRODUCTION,
        ({ roles, pendingChange }) =>
          pendingChange === null ? (
            roleText(roles.PRODUCTION)
          ) : (
            <>
              {t.team.pendingInvitation(roleText(roles.PRODUCTION))}
              <small class="sub warn-text">{t.team.confirmText}</small>
            </>
          ),
      ],
      ['until', t.coupons.expires, ({ expiresAt }) => moment(expiresAt), 'medium'],
      [
        'act',
        '',
        (invitation) => (
          <span class="row-acts">
            <PendingRoles of={invitation.pendingChange} name={invitation.email} />
            {can('team.manage') && <InvitationActs of={invitation} onLink={onLink} />}
          </span>
        ),
        'end',
      ],
    ]}
  />
)

/**
 * The buttons of a pending change of roles: the service says who may approve it; all who manage the team may
 * reject it.
 */
const PendingRoles = ({ of, name }: { of: Member['pendingChange']; name: string }) =>
  of !== null &&
  (of.mayApprove || can('team.manage')) && (
    <Decide
      name={name}
      isOwn={!of.mayApprove}
      act={async (verdict) => {
        await post(`/v1/team/changes/{id}/${verdict}`, withId(of.id))
        done(t.decide.done[verdict], '/v1/team')
      }}
    />
  )

type InvitationActsProps = { of: OpenInvitation; onLink: (link: string | null) => void }

const InvitationActs = ({ of: { id, email }, onLink }: InvitationActsProps) => {
  const resend = useAction(async () => {
    const { link } = await post('/v1/team/invitations/{id}/resend', withId(id))
    done(t.team.resent, '/v1/team')
    onLink(link)
  })
  const revoke = useChange(() => del('/v1/team/invitations/{id}', withId(id)), t.team.revoked, '/v1/team')
  return (
    <>
      <TextButton text={t.deliveries.resend} name={`${t.deliveries.resend} ${email}`} onClick={resend.run} />
      <TextButton text={t.apiKeys.revoke} name={`${t.apiKeys.revoke} ${email}`} onClick={revoke.run} />
      <Trouble of={resend.problem ?? revoke.problem} />
    </>
  )
}
