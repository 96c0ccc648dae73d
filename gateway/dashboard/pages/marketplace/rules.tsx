import { useState } from 'preact/hooks'
import { del, patch, post, type Schemas, withId } from '../../core/api.ts'
import { shareText } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Copy, Empty, LinkButton, Loading, Trouble } from '../../parts/basics.tsx'
import { EditButton } from '../../parts/buttons.tsx'
import { type Closable, Dialog, RemoveFoot } from '../../parts/dialog.tsx'
import { activeFilter } from '../../parts/filter.ts'
import { Check, Field, Form, required, useForm } from '../../parts/form.tsx'
import { ActiveStatus } from '../../parts/labels.tsx'
import { List, useList } from '../../parts/list-page.tsx'
import { RecipientName, useRecipientNames } from '../../parts/recipient.tsx'
import { Noted } from '../../parts/table.tsx'
import { done } from '../../parts/toasts.tsx'
import { useRecipients } from './recipients.tsx'
import { type Item, Items, inputOf, itemOf, noItem, shareErrors } from './split-items.tsx'

type Recipient = Schemas['Recipient']
type Rule = Schemas['SplitRule']

/** Split rules, with the parties and shares of each. */
export const Rules = ({ onEdit }: { onEdit: (id: string) => void }) => {
  const query = useList('/v1/split/rules', ['from', 'to', 'active'])
  const isManager = can('marketplace.manage')
  const rules = query.data?.data ?? []
  const names = useRecipientNames(rules.flatMap(({ items }) => items.map(({ recipientId }) => recipientId)))
  return (
    <List
      label={t.split.rules}
      query={query}
      filterBy={[activeFilter('splitRule')]}
      columns={[
        [
          'name',
          t.common.name,
          ({ name, id }) => (
            <Noted note={<Copy text={id} isShort />}>
              <strong>{name}</strong>
            </Noted>
          ),
        ],
        [
          'items',
          t.split.parties,
          ({ items }) => (
            <ul>
              {items.map((item) => (
                <li key={item.recipientId}>
                  {item.recipientId === null ? (
                    t.split.own
                  ) : (
                    <RecipientName id={item.recipientId} names={names} />
                  )}{' '}
                  <span class="muted">{shareText(item)}</span>
                </li>
              ))}
            </ul>
          ),
        ],
        ['used', t.coupons.used, ({ usedCount }) => usedCount, 'medium'],
        ['active', t.common.status, ({ active }) => <ActiveStatus is={active} of="splitRule" />, 'medium'],
        [
          'edit',
          '',
          ({ id, name }) => isManager && <EditButton name={name} onClick={() => onEdit(id)} />,
          'end',
        ],
      ]}
      empty={
        <Empty
          icon="split"
          title={t.split.noRule}
          text={t.split.noRuleText}
          actions={isManager && <FirstRecipient />}
        />
      }
    />
  )
}

/** The way to a recipient, where there is none yet. */
const FirstRecipient = () => {
  const { data } = useGet('/v1/split/recipients', { query: { pageSize: 1 } })
  if (data?.pagination.total !== 0) return null
  return (
    <LinkButton
      tone="main"
      href={pathTo('divisao/recebedores?novo=recebedor')}
      text={t.split.createRecipient}
    />
  )
}

/** Creates or edits a rule, once the rule and the recipients are loaded. */
export const RuleDialog = ({ id, onClose }: Closable & { id: string | null }) => {
  const rule = useGet(id === null ? null : '/v1/split/rules/{id}', { path: { id: id ?? '' } })
  const recipients = useRecipients()
  const isReady = recipients.data !== null && (id === null || rule.data !== null)
  return (
    <Dialog title={id === null ? t.split.createRule : t.split.editRule} onClose={onClose} isWide>
      <Trouble of={rule.problem ?? recipients.problem} />
      {isReady ? (
        <RuleForm rule={rule.data} recipients={recipients.data.data} onClose={onClose} />
      ) : (
        <Loading />
      )}
    </Dialog>
  )
}

type RuleFormProps = Closable & { rule: Rule | null; recipients: readonly Recipient[] }

const RuleForm = ({ rule, recipients, onClose }: RuleFormProps) => {
  const [items, setItems] = useState<readonly Item[]>(
    rule?.items.map(itemOf) ?? [
      { ...noItem, recipientId: recipients[0]?.id ?? '' },
      { ...noItem, chargeFees: true, chargeRemainder: true },
    ],
  )
  const form = useForm(
    { name: rule?.name ?? '', active: rule === null || rule.active ? 'true' : '' },
    async (values) => {
      const body = { name: values.name!.trim(), active: values.active === 'true', items: items.map(inputOf) }
      if (rule === null) await post('/v1/split/rules', { body })
      else await patch('/v1/split/rules/{id}', { ...withId(rule.id), body })
      done(t.common.saved, '/v1/split')
      onClose()
    },
    (values) => ({ ...required('name')(values), ...shareErrors(items) }),
  )
  return (
    <>
      <Form of={form} submit={rule ? t.common.save : t.common.create} onCancel={onClose}>
        <Field name="name" label={t.common.name} isFirst maxLength={120} />
        <Items items={items} onChange={setItems} recipients={recipients} />
        {rule && <Check name="active" label={t.split.ruleActive} />}
      </Form>
      {rule && (
        <footer class="dialog-foot">
          <RemoveFoot
            act={() => del('/v1/split/rules/{id}', withId(rule.id))}
            changes="/v1/split"
            text={t.split.ruleRemoved}
            onClose={onClose}
          />
        </footer>
      )}
    </>
  )
}
