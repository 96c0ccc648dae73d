import { useState } from 'preact/hooks'
import { patch, post, type Schemas, withId } from '../../core/api.ts'
import { moment } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { AskDialog } from '../../parts/ask-dialog.tsx'
import { Ago, Copy, Empty } from '../../parts/basics.tsx'
import { TextButton } from '../../parts/buttons.tsx'
import { Checks, listOf } from '../../parts/checks.tsx'
import { useDialog } from '../../parts/common-fields.tsx'
import { type Closable, FormDialog, SecretDialog } from '../../parts/dialog.tsx'
import { Choice, Field, required, type Values } from '../../parts/form.tsx'
import { Status } from '../../parts/labels.tsx'
import { createButton, ListPage, useList } from '../../parts/list-page.tsx'
import { Noted } from '../../parts/table.tsx'

type ApiKey = Schemas['ApiKey']
type Scope = ApiKey['scopes'][number]
type Act = { readonly kind: 'edit' | 'roll' | 'revoke'; readonly of: ApiKey }

const scopesOf = Object.keys as <Key extends string>(of: Record<Key, string>) => Key[]

/** Keys of the API: who made each, what it may do, when and from where it was last used. */
export const Keys = () => {
  const query = useList('/v1/keys', [])
  const dialog = useDialog(query.filters)
  const [secret, setSecret] = useState<string | null>(null)
  const [act, setAct] = useState<Act | null>(null)
  const create = createButton('keys.manage', t.apiKeys.create, dialog.show)
  return (
    <ListPage
      title={t.nav.keys}
      lead={t.apiKeys.lead}
      actions={create}
      query={query}
      hrefOf={({ id }) => pathTo(`chaves/${id}`)}
      nameOf={({ name }) => name}
      columns={[
        [
          'name',
          t.common.name,
          ({ name, last4, clientId }) => (
            <Noted note={<Copy text={clientId} label="clientId" isShort />}>
              <strong>{name}</strong> <code class="muted">…{last4}</code>
            </Noted>
          ),
        ],
        [
          'status',
          t.common.status,
          ({ status, expiresAt }) => (
            <Noted note={expiresAt && status !== 'REVOKED' && t.apiKeys.until(moment(expiresAt, 'day'))}>
              <Status is={status} of="apiKey" />
            </Noted>
          ),
        ],
        ['scopes', t.apiKeys.scopes, scopesText, 'wide'],
        ['used', t.apiKeys.lastUsed, (key) => <LastUse of={key} />, 'when'],
        ['act', '', (key) => <KeyActs of={key} onAct={setAct} />, 'end'],
      ]}
      empty={<Empty icon="key" title={t.apiKeys.none} text={t.apiKeys.noneText} actions={create} />}
    >
      {dialog.open && <CreateDialog onClose={dialog.close} onSecret={setSecret} />}
      {act && <ActDialog {...act} onClose={() => setAct(null)} onSecret={setSecret} />}
      {secret && (
        <SecretDialog
          title={t.apiKeys.secret}
          text={t.apiKeys.secretText}
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </ListPage>
  )
}

const scopesText = ({ scopes }: ApiKey): string =>
  scopes.length === scopesOf(t.scope).length
    ? t.apiKeys.allScopes
    : scopes.map((scope) => t.scope[scope] ?? scope).join(', ')

const LastUse = ({
  of: { lastUsedAt, lastUsedIp, lastRefusedIp, lastRefusedAt, ipAllowList },
}: {
  of: ApiKey
}) => (
  <>
    {lastUsedAt ? <Ago at={lastUsedAt} /> : <span class="muted">{t.common.never}</span>}
    {lastUsedIp && <small class="sub">{lastUsedIp}</small>}
    {ipAllowList.length > 0 && <small class="sub">{t.apiKeys.networks(ipAllowList.length)}</small>}
    {lastRefusedIp && lastRefusedAt && (
      <small class="sub warn-text">{t.apiKeys.refused(lastRefusedIp, moment(lastRefusedAt))}</small>
    )}
  </>
)

const KeyActs = ({ of, onAct }: { of: ApiKey; onAct: (act: Act) => void }) =>
  can('keys.manage') &&
  (of.status === 'ACTIVE' || of.status === 'EXPIRING') && (
    <span class="row-acts">
      {(['edit', 'roll', 'revoke'] as const).map((kind) => (
        <TextButton
          key={kind}
          text={t.apiKeys[kind]}
          name={`${t.apiKeys[kind]} ${of.name}`}
          onClick={() => onAct({ kind, of })}
        />
      ))}
    </span>
  )

type Making = Closable & { readonly onSecret: (secret: string) => void }

const ActDialog = ({ kind, of, onClose, onSecret }: Act & Making) => {
  if (kind === 'edit') return <EditDialog of={of} onClose={onClose} />
  if (kind === 'roll') return <RollDialog of={of} onClose={onClose} onSecret={onSecret} />
  return (
    <AskDialog
      title={t.apiKeys.revokeTitle(of.name)}
      text={t.apiKeys.revokeText}
      action={t.apiKeys.revoke}
      act={() => post('/v1/keys/{id}/revoke', withId(of.id))}
      changes="/v1/keys"
      done={t.apiKeys.revoked}
      onClose={onClose}
    />
  )
}

/** The terms of a key, read from its form. */
const termsOf = ({ name, scopes, expires, networks }: Values) => ({
  name: name!.trim(),
  scopes: listOf(scopes) as Scope[],
  ...(expires && { expiresAt: `${expires}T23:59:59Z` }),
  ipAllowList: (networks ?? '').split(/[\s,;]+/).filter(Boolean),
})

const ScopeField = ({ of }: { of: readonly Scope[] }) => (
  <Checks name="scopes" label={t.apiKeys.scopes} of={of.map((scope) => [scope, t.scope[scope] ?? scope])} />
)

const NetworkField = () => (
  <Field name="networks" label={t.apiKeys.networksLabel} hint={t.apiKeys.networksHint} isOptional lines={2} />
)

const CreateDialog = ({ onClose, onSecret }: Making) => {
  // A person gives a key no more than they have.
  const own = scopesOf(t.scope).filter((scope) => can(scope))
  return (
    <FormDialog
      title={t.apiKeys.create}
      submit={t.common.create}
      values={{ name: '', scopes: own.filter((scope) => !scope.startsWith('refunds')).join(), expires: '' }}
      check={required('name', 'scopes')}
      send={(values) => post('/v1/keys', { body: termsOf(values) })}
      changes="/v1/keys"
      onClose={onClose}
      onMade={({ secret }) => onSecret(secret)}
    >
      <Field name="name" label={t.common.name} hint={t.apiKeys.nameHint} isFirst maxLength={60} />
      <ScopeField of={own} />
      <Field name="expires" type="date" label={t.apiKeys.expires} isOptional />
      <NetworkField />
    </FormDialog>
  )
}

const EditDialog = ({ of, onClose }: Closable & { of: ApiKey }) => (
  <FormDialog
    title={of.name}
    hint={t.apiKeys.editText}
    submit={t.common.save}
    values={{ name: of.name, scopes: of.scopes.join(), networks: of.ipAllowList.join('\n') }}
    check={required('name', 'scopes')}
    send={(values) => patch('/v1/keys/{id}', { ...withId(of.id), body: termsOf(values) })}
    changes="/v1/keys"
    done={t.common.saved}
    onClose={onClose}
  >
    <Field name="name" label={t.common.name} isFirst maxLength={60} />
    <ScopeField of={of.scopes} />
    <NetworkField />
  </FormDialog>
)

const RollDialog = ({ of, onClose, onSecret }: Making & { of: ApiKey }) => (
  <FormDialog
    title={t.apiKeys.rollTitle(of.name)}
    lead={t.apiKeys.rollText}
    submit={t.apiKeys.roll}
    values={{ overlap: '86400' }}
    send={({ overlap }) =>
      post('/v1/keys/{id}/roll', {
        ...withId(of.id),
        body: { overlapSeconds: Number(overlap) as 0 | 3600 | 86_400 | 604_800 },
      })
    }
    changes="/v1/keys"
    onClose={onClose}
    onMade={({ secret }) => onSecret(secret)}
  >
    <Choice name="overlap" label={t.apiKeys.overlap} of={Object.entries(t.apiKeys.overlaps)} />
  </FormDialog>
)
