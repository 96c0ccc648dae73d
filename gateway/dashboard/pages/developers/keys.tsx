import { useState } from 'preact/hooks'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { moment } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { refresh } from '../../core/query.ts'
import { can } from '../../core/session.ts'
import { AskDialog } from '../../parts/ask-dialog.tsx'
import { Ago, Button, Copy, Empty, Page } from '../../parts/basics.tsx'
import { useDialog } from '../../parts/common-fields.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Checks, Choice, Field, Form, requiredError, useForm } from '../../parts/form.tsx'
import { Status } from '../../parts/labels.tsx'
import { List, useList } from '../../parts/list-page.tsx'
import { SecretDialog } from '../../parts/secret-dialog.tsx'
import { announce } from '../../parts/toasts.tsx'

type ApiKey = Schemas['ApiKey']

type Scope = ApiKey['scopes'][number]
const scopes = Object.keys as <Key extends string>(of: Record<Key, string>) => Key[]

/** Keys of the API: who made each, what it may do, when and from where it was last used. */
export const Keys = () => {
  const query = useList('/v1/keys', [])
  const dialog = useDialog(query.filters)
  const [secret, setSecret] = useState<string | null>(null)
  const [act, setAct] = useState<{ kind: 'edit' | 'roll' | 'revoke'; key: ApiKey } | null>(null)
  const isManager = can('keys.manage')
  const close = () => setAct(null)
  const create = isManager && (
    <Button tone="main" icon="plus" data-key="n" onClick={() => dialog.show()}>
      {t.apiKeys.create}
    </Button>
  )
  return (
    <Page title={t.nav.keys} lead={t.apiKeys.lead} actions={create}>
      <List
        label={t.nav.keys}
        query={query}
        keyOf={({ id }) => id}
        columns={[
          {
            id: 'name',
            title: t.common.name,
            cell: ({ name, last4, clientId }) => (
              <>
                <strong>{name}</strong> <code class="muted">…{last4}</code>
                <small class="sub">
                  <Copy text={clientId} label="clientId" isShort />
                </small>
              </>
            ),
          },
          {
            id: 'status',
            title: t.common.status,
            cell: ({ status, expiresAt }) => (
              <>
                <Status is={status} />
                {expiresAt && status !== 'REVOKED' && (
                  <small class="sub">{t.apiKeys.until(moment(expiresAt, 'day'))}</small>
                )}
              </>
            ),
          },
          {
            id: 'scopes',
            title: t.apiKeys.scopes,
            from: 'wide',
            cell: (key) =>
              key.scopes.length === scopes(t.scope).length
                ? t.apiKeys.allScopes
                : key.scopes.map((scope) => t.scope[scope] ?? scope).join(', '),
          },
          {
            id: 'used',
            title: t.apiKeys.lastUsed,
            from: 'medium',
            cell: ({ lastUsedAt, lastUsedIp, lastRefusedIp, lastRefusedAt, ipAllowList }) => (
              <>
                {lastUsedAt ? <Ago at={lastUsedAt} /> : <span class="muted">{t.common.never}</span>}
                {lastUsedIp && <small class="sub">{lastUsedIp}</small>}
                {ipAllowList.length > 0 && (
                  <small class="sub">{t.apiKeys.networks(ipAllowList.length)}</small>
                )}
                {lastRefusedIp && lastRefusedAt && (
                  <small class="sub warn-text">
                    {t.apiKeys.refused(lastRefusedIp, moment(lastRefusedAt))}
                  </small>
                )}
              </>
            ),
          },
          {
            id: 'act',
            title: '',
            align: 'end',
            cell: (key) =>
              isManager &&
              (key.status === 'ACTIVE' || key.status === 'EXPIRING') && (
                <span class="row-acts">
                  {(['edit', 'roll', 'revoke'] as const).map((kind) => (
                    <button
                      key={kind}
                      type="button"
                      class="link"
                      aria-label={`${t.apiKeys[kind]} ${key.name}`}
                      onClick={() => setAct({ kind, key })}
                    >
                      {t.apiKeys[kind]}
                    </button>
                  ))}
                </span>
              ),
          },
        ]}
        empty={
          <Empty icon="key" title={t.apiKeys.none} actions={create}>
            {t.apiKeys.noneText}
          </Empty>
        }
      />
      {dialog.open && <CreateDialog onClose={dialog.close} onSecret={setSecret} />}
      {act?.kind === 'edit' && <EditDialog of={act.key} onClose={close} />}
      {act?.kind === 'roll' && <RollDialog of={act.key} onClose={close} onSecret={setSecret} />}
      {act?.kind === 'revoke' && (
        <AskDialog
          title={t.apiKeys.revokeTitle(act.key.name)}
          text={t.apiKeys.revokeText}
          action={t.apiKeys.revoke}
          act={async () => {
            await dataOf(api.POST('/v1/keys/{id}/revoke', { params: { path: { id: act.key.id } } }))
            refresh('/v1/keys')
            announce(t.apiKeys.revoked)
          }}
          onClose={close}
        />
      )}
      {secret && (
        <SecretDialog
          title={t.apiKeys.secret}
          text={t.apiKeys.secretText}
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </Page>
  )
}

const networksOf = (text: string | undefined): string[] => (text ?? '').split(/[\s,;]+/).filter(Boolean)

const CreateDialog = ({ onClose, onSecret }: { onClose: () => void; onSecret: (secret: string) => void }) => {
  // A person gives a key no more than they have.
  const own = scopes(t.scope).filter((scope) => can(scope))
  const form = useForm(
    { name: '', scopes: own.filter((scope) => !scope.startsWith('refunds')).join(), expires: '' },
    async (values) => {
      const made = await dataOf(
        api.POST('/v1/keys', {
          body: {
            name: values.name!.trim(),
            scopes: values.scopes!.split(',').filter(Boolean) as Scope[],
            ...(values.expires && { expiresAt: `${values.expires}T23:59:59Z` }),
            ipAllowList: networksOf(values.networks),
          },
        }),
      )
      refresh('/v1/keys')
      onClose()
      onSecret(made.secret)
    },
    ({ name, scopes }) => ({ name: requiredError(name), scopes: requiredError(scopes) }),
  )
  return (
    <Dialog title={t.apiKeys.create} onClose={onClose}>
      <Form of={form} submit={t.common.create} onCancel={onClose}>
        <Field
          form={form}
          name="name"
          label={t.common.name}
          hint={t.apiKeys.nameHint}
          isFirst
          maxLength={60}
        />
        <Checks
          form={form}
          name="scopes"
          label={t.apiKeys.scopes}
          of={own.map((scope) => [scope, t.scope[scope]])}
        />
        <Field form={form} name="expires" type="date" label={t.apiKeys.expires} isOptional />
        <Field
          form={form}
          name="networks"
          label={t.apiKeys.networksLabel}
          hint={t.apiKeys.networksHint}
          isOptional
          lines={2}
        />
      </Form>
    </Dialog>
  )
}

const EditDialog = ({ of, onClose }: { of: ApiKey; onClose: () => void }) => {
  const form = useForm(
    { name: of.name, scopes: of.scopes.join(), networks: of.ipAllowList.join('\n') },
    async (values) => {
      const body = {
        name: values.name!.trim(),
        scopes: values.scopes!.split(',').filter(Boolean) as Scope[],
        ipAllowList: networksOf(values.networks),
      }
      await dataOf(api.PATCH('/v1/keys/{id}', { params: { path: { id: of.id } }, body }))
      refresh('/v1/keys')
      announce(t.common.saved)
      onClose()
    },
    ({ name, scopes }) => ({ name: requiredError(name), scopes: requiredError(scopes) }),
  )
  return (
    <Dialog title={of.name} onClose={onClose}>
      <p class="hint">{t.apiKeys.editText}</p>
      <Form of={form} submit={t.common.save} onCancel={onClose}>
        <Field form={form} name="name" label={t.common.name} isFirst maxLength={60} />
        <Checks
          form={form}
          name="scopes"
          label={t.apiKeys.scopes}
          of={of.scopes.map((scope) => [scope, t.scope[scope] ?? scope])}
        />
        <Field
          form={form}
          name="networks"
          label={t.apiKeys.networksLabel}
          hint={t.apiKeys.networksHint}
          isOptional
          lines={2}
        />
      </Form>
    </Dialog>
  )
}

const RollDialog = ({
  of,
  onClose,
  onSecret,
}: {
  of: ApiKey
  onClose: () => void
  onSecret: (secret: string) => void
}) => {
  const form = useForm({ overlap: '86400' }, async ({ overlap }) => {
    const made = await dataOf(
      api.POST('/v1/keys/{id}/roll', {
        params: { path: { id: of.id } },
        body: { overlapSeconds: Number(overlap) as 0 | 3600 | 86_400 | 604_800 },
      }),
    )
    refresh('/v1/keys')
    onClose()
    onSecret(made.secret)
  })
  return (
    <Dialog title={t.apiKeys.rollTitle(of.name)} onClose={onClose}>
      <p>{t.apiKeys.rollText}</p>
      <Form of={form} submit={t.apiKeys.roll} onCancel={onClose}>
        <Choice
          form={form}
          name="overlap"
          label={t.apiKeys.overlap}
          of={Object.entries(t.apiKeys.overlaps)}
        />
      </Form>
    </Dialog>
  )
}
