import { useState } from 'preact/hooks'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { moment } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { refresh, useAction, useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { can, sessionStore } from '../../core/session.ts'
import { AskDialog } from '../../parts/ask-dialog.tsx'
import { Ago, Badge, Button, Loading, Page, Section, Trouble } from '../../parts/basics.tsx'
import { CopyBox } from '../../parts/copy-box.tsx'
import { Decide } from '../../parts/decide.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Choice, Field, Form, requiredError, useForm, type Values } from '../../parts/form.tsx'
import { DataTable } from '../../parts/table.tsx'
import { announce } from '../../parts/toasts.tsx'

type Member = Schemas['Member']
type MemberRoles = Schemas['MemberRoles']
type OpenInvitation = Schemas['Invitation']
type RoleName = NonNullable<MemberRoles['SANDBOX']>

const roleNames = [
  'OWNER',
  'ADMIN',
  'FINANCE',
  'DEVELOPER',
  'SUPPORT',
  'VIEWER',
] as const satisfies readonly RoleName[]
const roleText = (role: RoleName | null): string => (role === null ? t.team.noRole : t.role[role])

/** The people of the company, what each may do, and invitations. */
export const Team = () => {
  const { data, problem, refresh: again } = useGet('/v1/team')
  const [act, setAct] = useState<
    { kind: 'roles' | 'remove' | 'factor' | 'sessions'; member: Member } | 'invite' | null
  >(null)
  const [link, setLink] = useState<string | null>(null)
  const isManager = can('team.manage')
  const me = sessionStore.get()?.person.id
  const close = () => setAct(null)
  const done = (text: string) => {
    refresh('/v1/team')
    announce(text)
  }
  return (
    <Page
      title={t.nav.team}
      actions={
        isManager && (
          <Button tone="main" icon="plus" data-key="n" onClick={() => setAct('invite')}>
            {t.team.invite}
          </Button>
        )
      }
    >
      <Trouble of={problem} retry={again} />
      {!data && !problem && <Loading rows={5} />}
      {data && (
        <DataTable
          label={t.nav.team}
          rows={data.members}
          keyOf={({ id }) => id}
          columns={[
            {
              id: 'name',
              title: t.common.name,
              cell: ({ name, email, personId }) => (
                <span class="who">
                  <span>
                    <strong>{name}</strong> {personId === me && <span class="muted">({t.team.you})</span>}
                  </span>
                  <small class="sub">{email}</small>
                </span>
              ),
            },
            {
              id: 'roles',
              title: t.environment.PRODUCTION,
              cell: ({ roles, pendingChange }) => (
                <>
                  {roleText(roles.PRODUCTION)}
                  {pendingChange && (
                    <small class="sub warn-text">
                      {t.team.pending(roleText(pendingChange.roles.PRODUCTION))}
                    </small>
                  )}
                </>
              ),
            },
            {
              id: 'sandbox',
              title: t.environment.SANDBOX,
              from: 'medium',
              cell: ({ roles }) => roleText(roles.SANDBOX),
            },
            {
              id: 'factors',
              title: t.team.factors,
              from: 'wide',
              cell: ({ factors, status }) =>
                status === 'NOT_ENROLLED' ? (
                  <Badge tone="warn">{t.team.notEnrolled}</Badge>
                ) : (
                  factors.map((factor) => t.team.factor[factor as 'totp'] ?? factor).join(', ')
                ),
            },
            {
              id: 'seen',
              title: t.team.seen,
              from: 'wide',
              cell: ({ lastSeenAt }) => (lastSeenAt ? <Ago at={lastSeenAt} /> : '–'),
            },
            {
              id: 'act',
              title: '',
              align: 'end',
              cell: (member) =>
                member.personId !== me && (
                  <span class="row-acts">
                    <PendingRoles of={member.pendingChange} name={member.name} onDone={done} />
                    {isManager &&
                      (['roles', 'factor', 'sessions', 'remove'] as const).map((kind) => (
                        <button
                          key={kind}
                          type="button"
                          class="link"
                          aria-label={`${t.team.acts[kind]}: ${member.name}`}
                          onClick={() => setAct({ kind, member })}
                        >
                          {t.team.acts[kind]}
                        </button>
                      ))}
                  </span>
                ),
            },
          ]}
        />
      )}
      {data && data.invitations.length > 0 && (
        <>
          <h2 class="gap">{t.team.invitations}</h2>
          <DataTable
            label={t.team.invitations}
            rows={data.invitations}
            keyOf={({ id }) => id}
            columns={[
              {
                id: 'email',
                title: t.common.email,
                cell: ({ email, name }) => (
                  <>
                    {email}
                    <small class="sub">{name}</small>
                  </>
                ),
              },
              {
                id: 'roles',
                title: t.environment.PRODUCTION,
                cell: ({ roles, pendingChange }) =>
                  pendingChange === null ? (
                    roleText(roles.PRODUCTION)
                  ) : (
                    <>
                      {t.team.pendingInvitation(roleText(roles.PRODUCTION))}
                      <small class="sub warn-text">{t.team.confirmText}</small>
                    </>
                  ),
              },
              {
                id: 'until',
                title: t.team.expires,
                from: 'medium',
                cell: ({ expiresAt }) => moment(expiresAt),
              },
              {
                id: 'act',
                title: '',
                align: 'end',
                cell: (invitation) => (
                  <span class="row-acts">
                    <PendingRoles of={invitation.pendingChange} name={invitation.email} onDone={done} />
                    {isManager && <InvitationActs of={invitation} onLink={setLink} onDone={done} />}
                  </span>
                ),
              },
            ]}
          />
        </>
      )}
      <RoleTable />
      {act === 'invite' && <InviteDialog onClose={close} onLink={setLink} />}
      {act !== null && act !== 'invite' && act.kind === 'roles' && (
        <RolesDialog of={act.member} onClose={close} />
      )}
      {act !== null && act !== 'invite' && act.kind !== 'roles' && (
        <MemberAsk kind={act.kind} of={act.member} onClose={close} onDone={done} />
      )}
      {link && (
        <Dialog title={t.team.link} onClose={() => setLink(null)}>
          <p>{t.team.linkText}</p>
          <CopyBox label="Link" text={link} />
        </Dialog>
      )}
    </Page>
  )
}

const MemberAsk = ({
  kind,
  of,
  onClose,
  onDone,
}: {
  kind: 'remove' | 'factor' | 'sessions'
  of: Member
  onClose: () => void
  onDone: (text: string) => void
}) => {
  const [keys, setKeys] = useState<readonly string[]>([])
  const params = { path: { id: of.id } }
  const act = async () => {
    if (kind === 'factor') await dataOf(api.POST('/v1/team/{id}/reset-second-factor', { params }))
    else if (kind === 'sessions') await dataOf(api.POST('/v1/team/{id}/end-sessions', { params }))
    else setKeys((await dataOf(api.DELETE('/v1/team/{id}', { params }))).keys)
    onDone(t.team.done[kind])
  }
  if (keys.length > 0)
    return (
      <Dialog title={t.team.keysLeft} onClose={onClose}>
        <p>{t.team.keysLeftText}</p>
        <p>
          <code>{keys.join(', ')}</code>
        </p>
        <a class="button main" href={pathTo('chaves')}>
          {t.nav.keys}
        </a>
      </Dialog>
    )
  return (
    <AskDialog
      title={`${t.team.acts[kind]}: ${of.name}`}
      text={t.team.asks[kind]}
      action={t.team.acts[kind]}
      act={act}
      onClose={() => keys.length === 0 && onClose()}
    />
  )
}

/** PendingRoles has the buttons for a change that waits: the service says who can approve it, and all who manage the team may reject it. */
const PendingRoles = ({
  of,
  name,
  onDone,
}: {
  of: Member['pendingChange']
  name: string
  onDone: (text: string) => void
}) =>
  of !== null &&
  (of.mayApprove || can('team.manage')) && (
    <Decide
      name={name}
      isOwn={!of.mayApprove}
      act={async (word) => {
        await dataOf(api.POST(`/v1/team/changes/{id}/${word}`, { params: { path: { id: of.id } } }))
        onDone(t.decide.done[word])
      }}
    />
  )

const InvitationActs = ({
  of,
  onLink,
  onDone,
}: {
  of: OpenInvitation
  onLink: (link: string | null) => void
  onDone: (text: string) => void
}) => {
  const params = { path: { id: of.id } }
  const resend = useAction(async () => {
    const made = await dataOf(api.POST('/v1/team/invitations/{id}/resend', { params }))
    onDone(t.team.resent)
    onLink(made.link)
  })
  const revoke = useAction(async () => {
    await dataOf(api.DELETE('/v1/team/invitations/{id}', { params }))
    onDone(t.team.revoked)
  })
  return (
    <>
      <button
        type="button"
        class="link"
        aria-label={`${t.team.resend} ${of.email}`}
        onClick={() => void resend.run()}
      >
        {t.team.resend}
      </button>
      <button
        type="button"
        class="link"
        aria-label={`${t.team.revoke} ${of.email}`}
        onClick={() => void revoke.run()}
      >
        {t.team.revoke}
      </button>
      <Trouble of={resend.problem ?? revoke.problem} />
    </>
  )
}

const rolesOf = (values: Values): MemberRoles => ({
  SANDBOX: (values.SANDBOX || null) as RoleName | null,
  PRODUCTION: (values.PRODUCTION || null) as RoleName | null,
})

const RoleFields = ({ form }: { form: import('../../parts/form.tsx').FormState }) => (
  <div class="form-row">
    {(['PRODUCTION', 'SANDBOX'] as const).map((environment) => (
      <Choice
        key={environment}
        form={form}
        name={environment}
        label={`${t.team.role} · ${t.environment[environment]}`}
        hint={
          form.values[environment] ? t.team.roleText[form.values[environment] as RoleName] : t.team.noRoleText
        }
        of={[['', t.team.noRole], ...roleNames.map((role) => [role, t.role[role]] as const)]}
      />
    ))}
  </div>
)

const InviteDialog = ({
  onClose,
  onLink,
}: {
  onClose: () => void
  onLink: (link: string | null) => void
}) => {
  const form = useForm(
    { email: '', name: '', PRODUCTION: 'VIEWER', SANDBOX: 'DEVELOPER' },
    async (values) => {
      const made = await dataOf(
        api.POST('/v1/team/invitations', {
          body: {
            email: values.email!.trim(),
            ...(values.name && { name: values.name.trim() }),
            roles: rolesOf(values),
          },
        }),
      )
      refresh('/v1/team')
      announce(made.pendingChange === null ? t.team.invited : t.team.invitedWaits)
      onClose()
      onLink(made.link)
    },
    ({ email }) => ({ email: requiredError(email) }),
  )
  return (
    <Dialog title={t.team.invite} onClose={onClose}>
      <p class="hint">{t.team.rolesText}</p>
      <Form of={form} submit={t.team.inviteAction} onCancel={onClose}>
        <Field form={form} name="email" type="email" label={t.common.email} isFirst autoComplete="off" />
        <Field form={form} name="name" label={t.common.name} isOptional autoComplete="off" maxLength={120} />
        <RoleFields form={form} />
      </Form>
    </Dialog>
  )
}

const RolesDialog = ({ of, onClose }: { of: Member; onClose: () => void }) => {
  const form = useForm(
    { PRODUCTION: of.roles.PRODUCTION ?? '', SANDBOX: of.roles.SANDBOX ?? '' },
    async (values) => {
      const { pendingChange } = await dataOf(
        api.PATCH('/v1/team/{id}', { params: { path: { id: of.id } }, body: { roles: rolesOf(values) } }),
      )
      refresh('/v1/team')
      announce(pendingChange ? t.team.waits : t.common.saved)
      onClose()
    },
  )
  return (
    <Dialog title={`${t.team.acts.roles}: ${of.name}`} onClose={onClose}>
      <p class="hint">{t.team.rolesText}</p>
      <Form of={form} submit={t.common.save} onCancel={onClose}>
        <RoleFields form={form} />
      </Form>
    </Dialog>
  )
}

const RoleTable = () => (
  <Section title={t.team.rolesTitle}>
    <dl class="facts">
      {roleNames.map((role) => (
        <div key={role}>
          <dt>{t.role[role]}</dt>
          <dd>{t.team.roleText[role]}</dd>
        </div>
      ))}
    </dl>
  </Section>
)
