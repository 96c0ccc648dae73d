import { useState } from 'preact/hooks'
import { del, patch, post, type Schemas, withId } from '../../core/api.ts'
import { t } from '../../core/language.ts'
import { pathTo } from '../../core/router.ts'
import { AskDialog } from '../../parts/ask-dialog.tsx'
import { LinkButton } from '../../parts/basics.tsx'
import { type Closable, Dialog, FormDialog } from '../../parts/dialog.tsx'
import { Choice, Field, required, useFormAround, type Values } from '../../parts/form.tsx'
import { done } from '../../parts/toasts.tsx'

type Member = Schemas['Member']
type MemberRoles = Schemas['MemberRoles']
type RoleName = NonNullable<MemberRoles['SANDBOX']>

/** The roles, from the one that may do most. */
export const roleNames = Object.keys(t.role) as RoleName[]

type Ask = 'remove' | 'factor' | 'sessions'

/** An act on a member, which opens a dialog. */
export type Act = { readonly kind: 'roles' | Ask; readonly of: Member }

/** The dialog of an act on a member. */
export const MemberDialog = ({ kind, of, onClose }: Closable & Act) =>
  kind === 'roles' ? (
    <RolesDialog of={of} onClose={onClose} />
  ) : (
    <MemberAsk kind={kind} of={of} onClose={onClose} />
  )

const MemberAsk = ({ kind, of, onClose }: Closable & { kind: Ask; of: Member }) => {
  const [keys, setKeys] = useState<readonly string[]>([])
  const act = async () => {
    if (kind === 'factor') await post('/v1/team/{id}/reset-second-factor', withId(of.id))
    else if (kind === 'sessions') await post('/v1/team/{id}/end-sessions', withId(of.id))
    else setKeys((await del('/v1/team/{id}', withId(of.id))).keys)
    done(t.team.done[kind], '/v1/team')
  }
  if (keys.length > 0)
    return (
      <Dialog title={t.team.keysLeft} onClose={onClose}>
        <p>{t.team.keysLeftText}</p>
        <p>
          <code>{keys.join(', ')}</code>
        </p>
        <LinkButton tone="main" href={pathTo('chaves')} text={t.nav.keys} />
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

const rolesOf = (values: Values): MemberRoles => ({
  SANDBOX: (values.SANDBOX || null) as RoleName | null,
  PRODUCTION: (values.PRODUCTION || null) as RoleName | null,
})

const RoleFields = () => {
  const { values } = useFormAround()
  return (
    <div class="form-row">
      {(['PRODUCTION', 'SANDBOX'] as const).map((environment) => (
        <Choice
          key={environment}
          name={environment}
          label={`${t.team.role} · ${t.environment[environment]}`}
          hint={values[environment] ? t.team.roleText[values[environment] as RoleName] : t.team.noRoleText}
          of={[['', t.team.noRole], ...roleNames.map((role) => [role, t.role[role]] as const)]}
        />
      ))}
    </div>
  )
}

/** Invites a person into the team. */
export const InviteDialog = ({ onClose, onLink }: Closable & { onLink: (link: string | null) => void }) => (
  <FormDialog
    title={t.team.invite}
    hint={t.team.rolesText}
    submit={t.team.inviteAction}
    values={{ email: '', name: '', PRODUCTION: 'VIEWER', SANDBOX: 'DEVELOPER' }}
    check={required('email')}
    send={(values) =>
      post('/v1/team/invitations', {
        body: {
          email: values.email!.trim(),
          ...(values.name && { name: values.name.trim() }),
          roles: rolesOf(values),
        },
      })
    }
    changes="/v1/team"
    done={({ pendingChange }) => (pendingChange === null ? t.team.invited : t.team.invitedWaits)}
    onClose={onClose}
    onMade={({ link }) => onLink(link)}
  >
    <Field name="email" type="email" label={t.common.email} isFirst autoComplete="off" />
    <Field name="name" label={t.common.name} isOptional autoComplete="off" maxLength={120} />
    <RoleFields />
  </FormDialog>
)

const RolesDialog = ({ of, onClose }: Closable & { of: Member }) => (
  <FormDialog
    title={`${t.team.acts.roles}: ${of.name}`}
    hint={t.team.rolesText}
    submit={t.common.save}
    values={{ PRODUCTION: of.roles.PRODUCTION ?? '', SANDBOX: of.roles.SANDBOX ?? '' }}
    send={(values) => patch('/v1/team/{id}', { ...withId(of.id), body: { roles: rolesOf(values) } })}
    changes="/v1/team"
    done={({ pendingChange }) => (pendingChange ? t.team.waits : t.common.saved)}
    onClose={onClose}
  >
    <RoleFields />
  </FormDialog>
)
