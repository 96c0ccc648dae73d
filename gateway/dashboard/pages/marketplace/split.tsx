import { useState } from 'preact/hooks'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { amountText, day, documentNumber, money, percent } from '../../core/format.ts'
import { bpsOf, cents } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { refresh, useAction, useGet } from '../../core/query.ts'
import { pathTo, useFilters } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import {
  Amount,
  Button,
  Copy,
  Empty,
  Facts,
  Loading,
  Page,
  Section,
  Tabs,
  Trouble,
} from '../../parts/basics.tsx'
import { useDialog } from '../../parts/common-fields.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import {
  amountError,
  Check,
  Choice,
  Field,
  Form,
  filled,
  MoneyField,
  requiredError,
  useForm,
  type Values,
} from '../../parts/form.tsx'
import { Icon } from '../../parts/icons.tsx'
import { optionsOf, Status } from '../../parts/labels.tsx'
import { List, useList } from '../../parts/list-page.tsx'
import { Rows } from '../../parts/table.tsx'
import { announce } from '../../parts/toasts.tsx'
import { shortId } from '../payments/transaction.tsx'

type Recipient = Schemas['Recipient']
type Rule = Schemas['SplitRule']

/** Dividing payments among recipients: rules, recipients, what was passed on, and a simulator. */
export const Split = ({ rest: [part = 'regras', id] }: { rest: readonly string[] }) => {
  const filters = useFilters()
  const dialog = useDialog(filters)
  if (part === 'recebedores' && id !== undefined) return <RecipientPage id={id} />
  const isManager = can('marketplace.manage')
  return (
    <Page
      title={t.nav.split}
      lead={t.split.lead}
      actions={
        isManager &&
        (part === 'recebedores' ? (
          <Button tone="main" icon="plus" data-key="n" onClick={() => dialog.show('recebedor')}>
            {t.split.createRecipient}
          </Button>
        ) : (
          <Button tone="main" icon="plus" data-key="n" onClick={() => dialog.show('regra')}>
            {t.split.createRule}
          </Button>
        ))
      }
    >
      <Tabs
        label={t.nav.split}
        current={part}
        of={[
          { id: 'regras', text: t.split.rules, href: pathTo('divisao') },
          { id: 'recebedores', text: t.split.recipients, href: pathTo('divisao/recebedores') },
          { id: 'repasses', text: t.split.transfers, href: pathTo('divisao/repasses') },
          { id: 'simulador', text: t.split.simulator, href: pathTo('divisao/simulador') },
        ]}
      />
      {part === 'regras' && <Rules onEdit={(id) => dialog.show(id)} />}
      {part === 'recebedores' && <Recipients />}
      {part === 'repasses' && <Transfers />}
      {part === 'simulador' && <Simulator />}
      {dialog.open === 'recebedor' && <RecipientDialog recipient={null} onClose={dialog.close} />}
      {(dialog.open === 'regra' || dialog.open.startsWith('spr_')) && (
        <RuleDialog id={dialog.open === 'regra' ? null : dialog.open} onClose={dialog.close} />
      )}
    </Page>
  )
}

const useRecipients = () => useGet('/v1/split/recipients', { query: { pageSize: 200 } })

const shareText = ({
  percentBps,
  fixedAmount,
}: Pick<Schemas['SplitItem'], 'percentBps' | 'fixedAmount'>): string =>
  percentBps === null ? (fixedAmount === null ? t.split.rest : money(fixedAmount)) : percent(percentBps)

const Rules = ({ onEdit }: { onEdit: (id: string) => void }) => {
  const query = useList('/v1/split/rules', ['from', 'to', 'active'])
  const recipients = useRecipients()
  const nameOf = (id: string | null) =>
    id === null ? t.split.own : (recipients.data?.data.find((one) => one.id === id)?.name ?? shortId(id))
  return (
    <List
      label={t.split.rules}
      query={query}
      keyOf={({ id }) => id}
      filterBy={[activeFilter()]}
      columns={[
        {
          id: 'name',
          title: t.common.name,
          cell: ({ name, id }) => (
            <>
              <strong>{name}</strong>
              <small class="sub">
                <Copy text={id} isShort />
              </small>
            </>
          ),
        },
        {
          id: 'items',
          title: t.split.parties,
          cell: ({ items }) => (
            <ul>
              {items.map((item) => (
                <li key={item.recipientId}>
                  {nameOf(item.recipientId)} <span class="muted">{shareText(item)}</span>
                </li>
              ))}
            </ul>
          ),
        },
        { id: 'used', title: t.coupons.used, from: 'medium', cell: ({ usedCount }) => usedCount },
        {
          id: 'active',
          title: t.common.status,
          from: 'medium',
          cell: ({ active }) => <Status is={active ? 'ACTIVE' : 'INACTIVE'} />,
        },
        {
          id: 'edit',
          title: '',
          align: 'end',
          cell: ({ id, name }) =>
            can('marketplace.manage') && (
              <button
                type="button"
                class="link"
                aria-label={`${t.common.edit} ${name}`}
                onClick={() => onEdit(id)}
              >
                {t.common.edit}
              </button>
            ),
        },
      ]}
      empty={
        <Empty
          icon="split"
          title={t.split.noRule}
          actions={
            can('marketplace.manage') &&
            recipients.data?.data.length === 0 && (
              <a class="button main" href={pathTo('divisao/recebedores?novo=recebedor')}>
                {t.split.createRecipient}
              </a>
            )
          }
        >
          {t.split.noRuleText}
        </Empty>
      }
    />
  )
}

const activeFilter = () =>
  ({
    kind: 'choices',
    name: 'active',
    title: t.common.status,
    isSingle: true,
    options: [
      { value: 'true', text: t.common.active },
      { value: 'false', text: t.common.inactive },
    ],
  }) as const

const Recipients = () => {
  const query = useList('/v1/split/recipients', ['from', 'to', 'active', 'document', 'q'])
  return (
    <List
      label={t.split.recipients}
      query={query}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => pathTo(`divisao/recebedores/${id}`)}
      nameOf={({ name }) => name}
      search={t.split.searchRecipient}
      filterBy={[activeFilter(), { kind: 'text', name: 'document', title: t.common.document }]}
      columns={[
        {
          id: 'name',
          title: t.common.name,
          cell: ({ name, document }) => (
            <span class="who">
              <span>{name}</span>
              <small class="sub">{documentNumber(document)}</small>
            </span>
          ),
        },
        {
          id: 'bank',
          title: t.split.bank,
          from: 'medium',
          cell: ({ bankCode, branch, account }) => `${bankCode} · ${branch} · ${account}`,
        },
        { id: 'balance', title: t.split.balance, cell: ({ balanceAmount }) => <Amount of={balanceAmount} /> },
        { id: 'status', title: t.common.status, align: 'end', cell: ({ status }) => <Status is={status} /> },
      ]}
      empty={
        <Empty icon="users" title={t.split.noRecipient}>
          {t.split.noRecipientText}
        </Empty>
      }
    />
  )
}

const transferStatuses = [
  'AWAITING_FUNDS',
  'SCHEDULED',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
  'REVERSED',
] as const

const Transfers = ({ recipientId }: { recipientId?: string }) => {
  const query = useList(
    '/v1/split/transfers',
    ['from', 'to', 'status', 'transactionId', ...(recipientId ? [] : ['recipientId'])],
    recipientId ? { recipientId } : {},
  )
  const recipients = useRecipients()
  return (
    <List
      label={t.split.transfers}
      query={query}
      keyOf={({ id }) => id}
      hrefOf={({ transactionId }) => pathTo(`transacoes/${transactionId}`)}
      nameOf={({ id }) => id}
      filterBy={[
        {
          kind: 'choices',
          name: 'status',
          title: t.common.status,
          options: optionsOf(transferStatuses, (status) => t.splitTransferStatus[status]),
        },
        ...(recipientId
          ? []
          : [
              {
                kind: 'choices',
                name: 'recipientId',
                title: t.split.recipient,
                isSingle: true,
                options: (recipients.data?.data ?? []).map(({ id, name }) => ({ value: id, text: name })),
              } as const,
            ]),
        { kind: 'period' },
      ]}
      columns={[
        { id: 'amount', title: t.common.amount, cell: ({ amount }) => <Amount of={amount} /> },
        {
          id: 'status',
          title: t.common.status,
          cell: ({ status, failureReason }) => (
            <>
              <Status is={status} />
              {failureReason && <small class="sub">{t.split.refusedByBank}</small>}
            </>
          ),
        },
        {
          id: 'recipient',
          title: t.split.recipient,
          cell: (row) =>
            recipients.data?.data.find(({ id }) => id === row.recipientId)?.name ?? shortId(row.recipientId),
        },
        {
          id: 'installment',
          title: t.transactions.installment,
          from: 'wide',
          cell: ({ installment }) => installment,
        },
        {
          id: 'expected',
          title: t.transactions.expectedOn,
          align: 'end',
          from: 'medium',
          cell: ({ expectedOn }) => day(expectedOn),
        },
      ]}
      empty={
        <Empty icon="send" title={t.split.noTransfer}>
          {t.split.noTransferText}
        </Empty>
      }
    />
  )
}

const RecipientPage = ({ id }: { id: string }) => {
  const { data, problem, refresh: again } = useGet('/v1/split/recipients/{id}', { path: { id } })
  const [isEditing, setEditing] = useState(false)
  const back = { href: pathTo('divisao/recebedores'), text: t.split.recipients }
  if (problem || !data)
    return (
      <Page title={t.split.recipient} back={back}>
        {problem ? <Trouble of={problem} retry={again} /> : <Loading rows={6} />}
      </Page>
    )
  return (
    <Page
      back={back}
      title={
        <>
          {data.name} <Status is={data.status} />
        </>
      }
      lead={<Copy text={data.id} isShort />}
      actions={
        can('marketplace.manage') && (
          <Button icon="edit" onClick={() => setEditing(true)}>
            {t.common.edit}
          </Button>
        )
      }
    >
      <Section title={t.transactions.details}>
        <Facts
          of={[
            [t.split.balance, <Amount key="balance" of={data.balanceAmount} />],
            [t.common.document, documentNumber(data.document)],
            [t.common.email, data.email],
            [t.split.bank, `${data.bankCode} · ${data.branch} · ${data.account}`],
          ]}
        />
      </Section>
      <h2 class="gap">{t.split.transfers}</h2>
      <Transfers recipientId={id} />
      {isEditing && <RecipientDialog recipient={data} onClose={() => setEditing(false)} />}
    </Page>
  )
}

const RecipientDialog = ({ recipient, onClose }: { recipient: Recipient | null; onClose: () => void }) => {
  const initial: Values = recipient
    ? {
        name: recipient.name,
        email: recipient.email ?? '',
        bankCode: recipient.bankCode,
        branch: recipient.branch,
        account: recipient.account,
        active: recipient.status === 'ACTIVE' ? 'true' : '',
      }
    : { name: '', document: '', bankCode: '', branch: '', account: '' }
  const form = useForm(
    initial,
    async (values) => {
      const bank = {
        name: values.name!.trim(),
        bankCode: values.bankCode!.trim(),
        branch: values.branch!.trim(),
        account: values.account!.trim(),
      }
      if (recipient === null)
        await dataOf(
          api.POST('/v1/split/recipients', {
            body: {
              ...bank,
              document: values.document!.replace(/[.\-/\s]/g, ''),
              ...filled(values, 'email'),
            },
          }),
        )
      else
        await dataOf(
          api.PATCH('/v1/split/recipients/{id}', {
            params: { path: { id: recipient.id } },
            body: { ...bank, email: values.email?.trim() || null, active: values.active === 'true' },
          }),
        )
      refresh('/v1/split')
      announce(t.common.saved)
      onClose()
    },
    (values) =>
      Object.fromEntries(
        ['name', 'bankCode', 'branch', 'account', ...(recipient ? [] : ['document'])].map((name) => [
          name,
          requiredError(values[name]),
        ]),
      ),
  )
  return (
    <Dialog title={recipient?.name ?? t.split.createRecipient} onClose={onClose}>
      <Form of={form} submit={recipient ? t.common.save : t.common.create} onCancel={onClose}>
        <Field form={form} name="name" label={t.common.name} isFirst maxLength={120} />
        <div class="form-row">
          {!recipient && <Field form={form} name="document" label={t.common.document} autoComplete="off" />}
          <Field form={form} name="email" type="email" label={t.common.email} isOptional autoComplete="off" />
        </div>
        <div class="form-row">
          <Field
            form={form}
            name="bankCode"
            label={t.split.bankCode}
            hint={t.split.bankCodeHint}
            inputMode="numeric"
            maxLength={3}
          />
          <Field form={form} name="branch" label={t.split.branch} maxLength={7} />
          <Field
            form={form}
            name="account"
            label={t.split.account}
            hint={t.split.accountHint}
            maxLength={15}
          />
        </div>
        {recipient && <Check form={form} name="active" label={t.split.isActive} />}
      </Form>
    </Dialog>
  )
}

type Item = { recipientId: string; share: string; chargeFees: boolean; chargeRemainder: boolean }

const itemOf = (item: Schemas['SplitItem']): Item => ({
  recipientId: item.recipientId ?? '',
  share:
    item.percentBps === null
      ? item.fixedAmount === null
        ? ''
        : `R$ ${amountText(item.fixedAmount)}`
      : `${String(item.percentBps / 100).replace('.', ',')}%`,
  chargeFees: item.chargeFees,
  chargeRemainder: item.chargeRemainder,
})

/** What a share that was typed is: "70%" or "R$ 5,00". */
const inputOf = ({ recipientId, share, chargeFees, chargeRemainder }: Item): Schemas['SplitItemInput'] => ({
  recipientId: recipientId || null,
  ...(share.includes('%') ? { percentBps: bpsOf(share) ?? 0 } : { fixedAmount: cents(share) }),
  chargeFees,
  chargeRemainder,
})

const RuleDialog = ({ id, onClose }: { id: string | null; onClose: () => void }) => {
  const rule = useGet(id === null ? null : '/v1/split/rules/{id}', { path: { id: id ?? '' } })
  const recipients = useRecipients()
  const isReady = recipients.data !== null && (id === null || rule.data !== null)
  return (
    <Dialog title={id === null ? t.split.createRule : t.split.editRule} onClose={onClose} isWide>
      <Trouble of={rule.problem ?? recipients.problem} />
      {isReady ? (
        <RuleForm rule={rule.data} recipients={recipients.data!.data} onClose={onClose} />
      ) : (
        <Loading />
      )}
    </Dialog>
  )
}

const RuleForm = ({
  rule,
  recipients,
  onClose,
}: {
  rule: Rule | null
  recipients: readonly Recipient[]
  onClose: () => void
}) => {
  const [items, setItems] = useState<readonly Item[]>(
    rule?.items.map(itemOf) ?? [
      { recipientId: recipients[0]?.id ?? '', share: '', chargeFees: false, chargeRemainder: false },
      { recipientId: '', share: '', chargeFees: true, chargeRemainder: true },
    ],
  )
  const form = useForm(
    { name: rule?.name ?? '', active: rule === null || rule.active ? 'true' : '' },
    async (values) => {
      const body = { name: values.name!.trim(), active: values.active === 'true', items: items.map(inputOf) }
      if (rule === null) await dataOf(api.POST('/v1/split/rules', { body }))
      else await dataOf(api.PATCH('/v1/split/rules/{id}', { params: { path: { id: rule.id } }, body }))
      refresh('/v1/split')
      announce(t.common.saved)
      onClose()
    },
    ({ name }) => ({ name: requiredError(name) }),
  )
  const remove = useAction(async () => {
    await dataOf(api.DELETE('/v1/split/rules/{id}', { params: { path: { id: rule!.id } } }))
    refresh('/v1/split')
    announce(t.split.ruleRemoved)
    onClose()
  })
  return (
    <>
      <Form of={form} submit={rule ? t.common.save : t.common.create} onCancel={onClose}>
        <Field form={form} name="name" label={t.common.name} isFirst maxLength={120} />
        <Items items={items} onChange={setItems} recipients={recipients} />
        {rule && <Check form={form} name="active" label={t.split.ruleActive} />}
      </Form>
      {rule && (
        <footer class="dialog-foot">
          <Trouble of={remove.problem} />
          <Button tone="quiet" icon="trash" isBusy={remove.isBusy} onClick={() => void remove.run()}>
            {t.common.remove}
          </Button>
        </footer>
      )}
    </>
  )
}

const Items = ({
  items,
  onChange,
  recipients,
}: {
  items: readonly Item[]
  onChange: (items: readonly Item[]) => void
  recipients: readonly Recipient[]
}) => {
  const change = (at: number, part: Partial<Item>) =>
    onChange(items.map((item, n) => (n === at ? { ...item, ...part } : item)))
  const percents = items.reduce((sum, { share }) => sum + (share.includes('%') ? (bpsOf(share) ?? 0) : 0), 0)
  return (
    <fieldset class="split-items">
      <legend>{t.split.parties}</legend>
      {items.map((item, n) => (
        <div key={n} class="split-item">
          <label>
            <span class="visually-hidden">{t.split.recipient}</span>
            <select
              value={item.recipientId}
              onChange={(event) => change(n, { recipientId: event.currentTarget.value })}
            >
              <option value="">{t.split.own}</option>
              {recipients.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label>
            <span class="visually-hidden">{t.split.share}</span>
            <input
              type="text"
              value={item.share}
              placeholder="70%"
              onInput={(event) => change(n, { share: event.currentTarget.value })}
            />
          </label>
          <label class="switch">
            <input
              type="checkbox"
              checked={item.chargeFees}
              onChange={(event) => change(n, { chargeFees: event.currentTarget.checked })}
            />
            <span>{t.split.paysFees}</span>
          </label>
          <label class="switch">
            <input
              type="checkbox"
              checked={item.chargeRemainder}
              onChange={(event) => change(n, { chargeRemainder: event.currentTarget.checked })}
            />
            <span>{t.split.takesRest}</span>
          </label>
          <button
            type="button"
            class="button quiet icon-only"
            aria-label={t.split.removeParty(n + 1)}
            disabled={items.length === 1}
            onClick={() => onChange(items.filter((_, at) => at !== n))}
          >
            <Icon name="x" />
          </button>
        </div>
      ))}
      <div class="actions">
        <Button
          icon="plus"
          onClick={() =>
            onChange([...items, { recipientId: '', share: '', chargeFees: false, chargeRemainder: false }])
          }
        >
          {t.split.addParty}
        </Button>
        <span class="hint">
          {t.split.sum} {percent(percents)}
        </span>
      </div>
      <p class="hint">{t.split.shareHint}</p>
    </fieldset>
  )
}

const Simulator = () => {
  const rules = useGet('/v1/split/rules', { query: { pageSize: 200 } })
  const first = rules.data?.data[0]?.id ?? ''
  const [result, setResult] = useState<Schemas['SplitSimulation'] | null>(null)
  const form = useForm(
    { amount: '100,00', ruleId: '', method: 'PIX', installments: '1' },
    async (values) => {
      const body = {
        amount: cents(values.amount),
        ruleId: values.ruleId || first,
        method: values.method as Schemas['BillingMethod'],
        ...(values.method === 'CREDIT_CARD' && { installments: Number(values.installments) }),
      }
      setResult(await dataOf(api.POST('/v1/split/simulate', { body })))
    },
    ({ amount }) => ({ amount: amountError(amount) }),
  )
  if (!rules.data) return <Loading rows={4} />
  if (rules.data.data.length === 0)
    return (
      <Empty icon="split" title={t.split.noRule}>
        {t.split.noRuleText}
      </Empty>
    )
  return (
    <div class="split-page">
      <div>
        {result === null ? (
          <Empty icon="chart" title={t.split.simulator}>
            {t.split.simulatorText}
          </Empty>
        ) : (
          <Simulation of={result} />
        )}
      </div>
      <Section title={t.split.sale}>
        <Form of={form} submit={t.split.simulate}>
          <MoneyField form={form} name="amount" label={t.common.amount} />
          <Choice
            form={form}
            name="ruleId"
            label={t.split.rule}
            of={rules.data.data.map(({ id, name }) => [id === first ? '' : id, name])}
          />
          <Choice
            form={form}
            name="method"
            label={t.common.method}
            of={(['PIX', 'CREDIT_CARD', 'BOLETO'] as const).map((method) => [method, t.method[method]])}
          />
          {form.values.method === 'CREDIT_CARD' && (
            <Choice
              form={form}
              name="installments"
              label={t.cards.installments}
              of={Array.from({ length: 12 }, (_, n) => [String(n + 1), `${n + 1}×`] as const)}
            />
          )}
        </Form>
      </Section>
    </div>
  )
}

const Simulation = ({ of }: { of: Schemas['SplitSimulation'] }) => {
  const total = Number(of.amount)
  return (
    <Section title={t.split.result} note={`${t.transactions.fees} ${money(of.feeAmount)}`}>
      <div class="shares" aria-hidden="true">
        {of.items.map(({ recipientId, grossAmount }, n) => (
          <span
            key={recipientId}
            class={`share-${n % 5}`}
            style={{ '--share': `${(Number(grossAmount) / total) * 100}%` }}
          />
        ))}
      </div>
      <Rows
        heads={[
          t.split.recipient,
          t.split.share,
          t.split.gross,
          t.transactions.fees,
          t.split.net,
          t.transactions.expectedOn,
        ]}
        rows={of.items.map((item, n) => [
          item.recipientId ?? 'own',
          <>
            <span class={`share-mark share-${n % 5}`} aria-hidden="true" /> {item.recipientName}
          </>,
          shareText(item),
          <Amount key="gross" of={item.grossAmount} />,
          <Amount key="fee" of={item.feeAmount} />,
          <Amount key="net" of={item.netAmount} />,
          item.installments.length === 1
            ? day(item.installments[0]!.expectedOn)
            : t.split.installments(item.installments.length, day(item.installments[0]!.expectedOn, 'short')),
        ])}
      />
      {of.warnings.length > 0 && <p class="notice-line warn">{t.split.feeCapped}</p>}
    </Section>
  )
}
