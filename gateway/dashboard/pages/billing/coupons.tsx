import { useState } from 'preact/hooks'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { amountText, count, day, money, percent } from '../../core/format.ts'
import { bpsOf, cents, wholeOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { refresh, useAction, useGet } from '../../core/query.ts'
import { can } from '../../core/session.ts'
import { Button, Copy, Empty, Page, Trouble } from '../../parts/basics.tsx'
import { useDialog } from '../../parts/common-fields.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import {
  amountError,
  Check,
  Checks,
  Choice,
  Field,
  Form,
  filled,
  MoneyField,
  requiredError,
  useForm,
  type Values,
} from '../../parts/form.tsx'
import { optionsOf, Status } from '../../parts/labels.tsx'
import { List, useList } from '../../parts/list-page.tsx'
import { announce } from '../../parts/toasts.tsx'

type Coupon = Schemas['Coupon']

/** What a coupon takes off, and for how long. */
const discountText = ({ percentBps, amountOff, duration, durationCycles }: Coupon): string => {
  const off = percentBps === null ? money(amountOff ?? '0') : percent(percentBps)
  return `${off} · ${duration === 'REPEATING' ? t.coupons.cycles(durationCycles ?? 0) : t.coupons.duration[duration]}`
}

/** Coupons, with how often each was used. */
export const Coupons = () => {
  const query = useList('/v1/coupons', ['from', 'to', 'active', 'status', 'q'])
  const dialog = useDialog(query.filters)
  const edited = query.data?.data.find(({ id }) => id === dialog.open) ?? null
  const create = can('subscriptions.manage') && (
    <Button tone="main" icon="plus" data-key="n" onClick={() => dialog.show('1')}>
      {t.coupons.create}
    </Button>
  )
  return (
    <Page
      title={t.nav.coupons}
      actions={
        <>
          <Button icon="check" onClick={() => dialog.show('testar')}>
            {t.coupons.test}
          </Button>
          {create}
        </>
      }
    >
      <List
        label={t.nav.coupons}
        query={query}
        keyOf={({ id }) => id}
        search={t.coupons.search}
        filterBy={[
          {
            kind: 'choices',
            name: 'status',
            title: t.common.status,
            options: optionsOf(
              ['ACTIVE', 'SCHEDULED', 'EXPIRED', 'EXHAUSTED', 'INACTIVE'],
              (status) => t.couponStatus[status],
            ),
          },
        ]}
        columns={[
          {
            id: 'code',
            title: t.coupons.code,
            cell: ({ code, name }) => (
              <>
                <Copy text={code} /> {name && <small class="sub">{name}</small>}
              </>
            ),
          },
          { id: 'discount', title: t.coupons.discount, cell: discountText },
          {
            id: 'status',
            title: t.common.status,
            from: 'medium',
            cell: ({ status }) => <Status is={status} />,
          },
          {
            id: 'used',
            title: t.coupons.used,
            from: 'medium',
            cell: ({ redemptionsCount, maxRedemptions }) =>
              maxRedemptions === null
                ? count(redemptionsCount)
                : `${count(redemptionsCount)} / ${count(maxRedemptions)}`,
          },
          {
            id: 'expires',
            title: t.coupons.expires,
            from: 'wide',
            cell: ({ expiresAt }) => (expiresAt ? day(expiresAt.slice(0, 10)) : t.common.never),
          },
          {
            id: 'actions',
            title: '',
            align: 'end',
            cell: (row) =>
              can('subscriptions.manage') && (
                <button
                  type="button"
                  class="link"
                  aria-label={`${t.common.edit} ${row.code}`}
                  onClick={() => dialog.show(row.id)}
                >
                  {t.common.edit}
                </button>
              ),
          },
        ]}
        empty={
          <Empty icon="tag" title={t.coupons.none} actions={create}>
            {t.coupons.noneText}
          </Empty>
        }
      />
      {dialog.open === '1' && <CouponDialog coupon={null} onClose={dialog.close} />}
      {dialog.open === 'testar' && <TestDialog onClose={dialog.close} />}
      {edited && <CouponDialog key={edited.id} coupon={edited} onClose={dialog.close} />}
    </Page>
  )
}

const CouponDialog = ({ coupon, onClose }: { coupon: Coupon | null; onClose: () => void }) => {
  const plans = useGet('/v1/plans', { query: { pageSize: 200 } })
  const initial: Values = coupon
    ? {
        code: coupon.code,
        name: coupon.name ?? '',
        discountType: coupon.discountType,
        percent: coupon.percentBps === null ? '' : String(coupon.percentBps / 100).replace('.', ','),
        amountOff: coupon.amountOff === null ? '' : amountText(coupon.amountOff),
        duration: coupon.duration,
        durationCycles: String(coupon.durationCycles ?? ''),
        maxRedemptions: String(coupon.maxRedemptions ?? ''),
        maxRedemptionsPerCustomer: String(coupon.maxRedemptionsPerCustomer ?? ''),
        minAmount: coupon.minAmount === null ? '' : amountText(coupon.minAmount),
        planIds: (coupon.planIds ?? []).join(),
        expiresAt: coupon.expiresAt?.slice(0, 10) ?? '',
        active: coupon.active ? 'true' : '',
      }
    : { code: '', discountType: 'PERCENT', duration: 'ONCE' }
  const isPercent = (values: Values) => values.discountType === 'PERCENT'
  const form = useForm(
    initial,
    async (values) => {
      const terms = {
        discountType: values.discountType as Coupon['discountType'],
        ...(isPercent(values)
          ? { percentBps: bpsOf(values.percent) ?? 0 }
          : { amountOff: cents(values.amountOff) }),
        duration: values.duration as Coupon['duration'],
        ...(values.duration === 'REPEATING' && { durationCycles: wholeOf(values.durationCycles) ?? 1 }),
      }
      const rest = {
        ...(values.maxRedemptions && { maxRedemptions: Number(values.maxRedemptions) }),
        ...(values.maxRedemptionsPerCustomer && {
          maxRedemptionsPerCustomer: Number(values.maxRedemptionsPerCustomer),
        }),
        ...(values.minAmount && { minAmount: cents(values.minAmount) }),
        ...(values.planIds && { planIds: values.planIds.split(',') }),
        ...(values.expiresAt && { expiresAt: `${values.expiresAt}T23:59:59-03:00` }),
        ...filled(values, 'name'),
      }
      if (coupon === null)
        await dataOf(
          api.POST('/v1/coupons', { body: { code: values.code!.trim(), ...terms, ...rest } as never }),
        )
      else {
        // Terms of a coupon that was used are fixed, and the service says so; unchanged ones are not sent.
        const changed = coupon.redemptionsCount === 0 ? terms : {}
        await dataOf(
          api.PATCH('/v1/coupons/{id}', {
            params: { path: { id: coupon.id } },
            body: { ...changed, ...rest, active: values.active === 'true' } as never,
          }),
        )
      }
      refresh('/v1/coupons')
      announce(t.common.saved)
      onClose()
    },
    (values) => ({
      code: requiredError(values.code),
      percent: isPercent(values) && bpsOf(values.percent) === null ? t.boletos.notARate : null,
      amountOff: isPercent(values) ? null : amountError(values.amountOff),
      durationCycles: values.duration === 'REPEATING' ? requiredError(values.durationCycles) : null,
      minAmount: amountError(values.minAmount, true),
    }),
  )
  const remove = useAction(async () => {
    await dataOf(api.DELETE('/v1/coupons/{id}', { params: { path: { id: coupon!.id } } }))
    refresh('/v1/coupons')
    announce(t.coupons.removed)
    onClose()
  })
  return (
    <Dialog title={coupon ? coupon.code : t.coupons.create} onClose={onClose}>
      <Form of={form} submit={coupon ? t.common.save : t.common.create} onCancel={onClose}>
        {!coupon && (
          <Field
            form={form}
            name="code"
            label={t.coupons.code}
            hint={t.coupons.codeHint}
            isFirst
            maxLength={40}
            autoComplete="off"
          />
        )}
        <Field form={form} name="name" label={t.common.name} isOptional maxLength={120} />
        <div class="form-row">
          <Choice
            form={form}
            name="discountType"
            label={t.coupons.discount}
            of={[
              ['PERCENT', t.coupons.percent],
              ['FIXED', t.coupons.fixed],
            ]}
          />
          {isPercent(form.values) ? (
            <Field
              form={form}
              name="percent"
              label={t.coupons.percentLabel}
              inputMode="decimal"
              placeholder="20"
            />
          ) : (
            <MoneyField form={form} name="amountOff" label={t.common.amount} />
          )}
        </div>
        <div class="form-row">
          <Choice
            form={form}
            name="duration"
            label={t.coupons.durationTitle}
            of={Object.entries(t.coupons.duration)}
          />
          {form.values.duration === 'REPEATING' && (
            <Field
              form={form}
              name="durationCycles"
              type="number"
              min={1}
              max={999}
              label={t.coupons.cyclesLabel}
            />
          )}
        </div>
        <details class="form-part">
          <summary>{t.coupons.limits}</summary>
          <div class="form">
            <div class="form-row">
              <Field
                form={form}
                name="maxRedemptions"
                type="number"
                min={1}
                label={t.coupons.max}
                isOptional
              />
              <Field
                form={form}
                name="maxRedemptionsPerCustomer"
                type="number"
                min={1}
                label={t.coupons.maxPerCustomer}
                isOptional
              />
            </div>
            <div class="form-row">
              <MoneyField form={form} name="minAmount" label={t.coupons.min} isOptional />
              <Field form={form} name="expiresAt" type="date" label={t.coupons.expires} isOptional />
            </div>
            {plans.data && plans.data.data.length > 0 && (
              <Checks
                form={form}
                name="planIds"
                label={t.nav.plans}
                hint={t.coupons.plansHint}
                of={plans.data.data.map(({ id, name }) => [id, name])}
              />
            )}
          </div>
        </details>
        {coupon && <Check form={form} name="active" label={t.coupons.isActive} />}
      </Form>
      {coupon && (
        <footer class="dialog-foot">
          <Trouble of={remove.problem} />
          <Button tone="quiet" icon="trash" isBusy={remove.isBusy} onClick={() => void remove.run()}>
            {t.common.remove}
          </Button>
        </footer>
      )}
    </Dialog>
  )
}

const TestDialog = ({ onClose }: { onClose: () => void }) => {
  const [answer, setAnswer] = useState<Schemas['CouponValidation'] | null>(null)
  const form = useForm(
    { code: '', amount: '' },
    async (values) =>
      setAnswer(
        await dataOf(
          api.GET('/v1/coupons/validate', {
            params: {
              query: {
                code: values.code!.trim(),
                ...(values.amount && { amount: Number(cents(values.amount)) }),
              },
            },
          }),
        ),
      ),
    ({ code, amount }) => ({ code: requiredError(code), amount: amountError(amount, true) }),
  )
  return (
    <Dialog title={t.coupons.test} onClose={onClose}>
      <p class="hint">{t.coupons.testText}</p>
      <Form of={form} submit={t.coupons.testAction}>
        <div class="form-row">
          <Field form={form} name="code" label={t.coupons.code} isFirst autoComplete="off" />
          <MoneyField form={form} name="amount" label={t.common.amount} isOptional />
        </div>
      </Form>
      {answer && (
        <p role="status" class={answer.valid ? 'notice-line calm' : 'notice-line'}>
          <strong>{answer.valid ? t.coupons.valid : t.coupons.reason[answer.reason ?? 'NOT_FOUND']}</strong>
          {answer.valid && answer.finalAmount && (
            <span>
              {money(answer.amount ?? '0')} − {money(answer.discountAmount ?? '0')} ={' '}
              {money(answer.finalAmount)}
            </span>
          )}
        </p>
      )}
    </Dialog>
  )
}
