import { useState } from 'preact/hooks'
import { del, get, patch, post, type Schemas, withId } from '../../core/api.ts'
import { amountText, count, day, money, percent, percentText } from '../../core/format.ts'
import { bpsOf, unitsOf, wholeOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { can } from '../../core/session.ts'
import { Button, Copy, Empty } from '../../parts/basics.tsx'
import { EditButton } from '../../parts/buttons.tsx'
import { Checks, listOf } from '../../parts/checks.tsx'
import { useDialog } from '../../parts/common-fields.tsx'
import { type Closable, Dialog, FormDialog, RemoveFoot } from '../../parts/dialog.tsx'
import { statusFilter } from '../../parts/filter.ts'
import {
  amountError,
  Check,
  Choice,
  Field,
  Form,
  FormPart,
  filled,
  MoneyField,
  requiredError,
  useForm,
  type Values,
} from '../../parts/form.tsx'
import { createButton, ListPage, useList } from '../../parts/list-page.tsx'
import { statusColumn } from '../../parts/table.tsx'

type Coupon = Schemas['Coupon']

/** What a coupon takes off, and for how long. */
const discountText = ({ percentBps, amountOff, duration, durationCycles }: Coupon): string => {
  const off = percentBps === null ? money(amountOff ?? '0') : percent(percentBps)
  return `${off} · ${duration === 'REPEATING' ? t.coupons.cycles(durationCycles ?? 0) : t.coupons.duration[duration]}`
}

const usesText = ({ redemptionsCount, maxRedemptions }: Coupon): string =>
  [redemptionsCount, ...(maxRedemptions === null ? [] : [maxRedemptions])].map(count).join(' / ')

const statuses = ['ACTIVE', 'SCHEDULED', 'EXPIRED', 'EXHAUSTED', 'INACTIVE'] as const

/** Coupons, with how often each was used. */
export const Coupons = () => {
  const query = useList('/v1/coupons', ['from', 'to', 'active', 'status', 'q'])
  const dialog = useDialog(query.filters)
  const edited = query.data?.data.find(({ id }) => id === dialog.open) ?? null
  const isManager = can('subscriptions.manage')
  const create = createButton('subscriptions.manage', t.coupons.create, dialog.show)
  return (
    <ListPage
      title={t.nav.coupons}
      actions={
        <>
          <Button icon="check" onClick={() => dialog.show('testar')} text={t.coupons.test} />
          {create}
        </>
      }
      query={query}
      search={t.coupons.search}
      filterBy={[statusFilter(statuses, 'coupon')]}
      columns={[
        [
          'code',
          t.coupons.code,
          ({ code, name }) => (
            <>
              <Copy text={code} /> {name && <small class="sub">{name}</small>}
            </>
          ),
        ],
        ['discount', t.coupons.discount, discountText],
        statusColumn('coupon', 'medium'),
        ['used', t.coupons.used, usesText, 'medium'],
        [
          'expires',
          t.coupons.expires,
          ({ expiresAt }) => (expiresAt ? day(expiresAt.slice(0, 10)) : t.common.never),
          'wide',
        ],
        [
          'actions',
          '',
          ({ id, code }) => isManager && <EditButton name={code} onClick={() => dialog.show(id)} />,
          'end',
        ],
      ]}
      empty={<Empty icon="tag" title={t.coupons.none} text={t.coupons.noneText} actions={create} />}
    >
      {dialog.open === '1' && <CouponDialog coupon={null} onClose={dialog.close} />}
      {dialog.open === 'testar' && <TestDialog onClose={dialog.close} />}
      {edited && <CouponDialog key={edited.id} coupon={edited} onClose={dialog.close} />}
    </ListPage>
  )
}

const TestDialog = ({ onClose }: Closable) => {
  const [found, setFound] = useState<Schemas['CouponValidation'] | null>(null)
  const form = useForm(
    { code: '', amount: '' },
    async ({ code, amount }) => {
      const query = { code: code!.trim(), ...(amount && { amount: Number(unitsOf(amount)) }) }
      setFound(await get('/v1/coupons/validate', { params: { query } }))
    },
    ({ code, amount }) => ({ code: requiredError(code), amount: amountError(amount, { isOptional: true }) }),
  )
  return (
    <Dialog title={t.coupons.test} onClose={onClose}>
      <p class="hint">{t.coupons.testText}</p>
      <Form of={form} submit={t.hooks.test}>
        <div class="form-row">
          <Field name="code" label={t.coupons.code} isFirst autoComplete="off" />
          <MoneyField name="amount" label={t.common.amount} isOptional />
        </div>
      </Form>
      {found && (
        <p role="status" class={found.valid ? 'notice-line calm' : 'notice-line'}>
          <strong>{found.valid ? t.coupons.valid : t.coupons.reason[found.reason ?? 'NOT_FOUND']}</strong>
          {found.valid && found.finalAmount && (
            <span>
              {money(found.amount ?? '0')} − {money(found.discountAmount ?? '0')} = {money(found.finalAmount)}
            </span>
          )}
        </p>
      )}
    </Dialog>
  )
}

/** Creates or edits a coupon. */
const CouponDialog = ({ coupon, onClose }: Closable & { coupon: Coupon | null }) => (
  <FormDialog
    title={coupon ? coupon.code : t.coupons.create}
    submit={coupon ? t.common.save : t.common.create}
    values={coupon ? valuesOf(coupon) : { code: '', discountType: 'PERCENT', duration: 'ONCE' }}
    check={(values) => ({
      code: requiredError(values.code),
      percent: isPercent(values) && bpsOf(values.percent) === null ? t.boletos.notARate : null,
      amountOff: isPercent(values) ? null : amountError(values.amountOff),
      durationCycles: isRepeating(values) ? requiredError(values.durationCycles) : null,
      minAmount: amountError(values.minAmount, { isOptional: true }),
    })}
    send={(values) => save(coupon, values)}
    changes="/v1/coupons"
    done={t.common.saved}
    onClose={onClose}
    foot={
      coupon && (
        <RemoveFoot
          act={() => del('/v1/coupons/{id}', withId(coupon.id))}
          changes="/v1/coupons"
          text={t.coupons.removed}
          onClose={onClose}
        />
      )
    }
  >
    {({ values }) => (
      <>
        {!coupon && (
          <Field
            name="code"
            label={t.coupons.code}
            hint={t.coupons.codeHint}
            isFirst
            maxLength={40}
            autoComplete="off"
          />
        )}
        <Field name="name" label={t.common.name} isOptional maxLength={120} />
        <DiscountFields values={values} />
        <LimitFields />
        {coupon && <Check name="active" label={t.coupons.isActive} />}
      </>
    )}
  </FormDialog>
)

const isPercent = ({ discountType }: Values): boolean => discountType === 'PERCENT'
const isRepeating = ({ duration }: Values): boolean => duration === 'REPEATING'

const DiscountFields = ({ values }: { values: Values }) => (
  <>
    <div class="form-row">
      <Choice
        name="discountType"
        label={t.coupons.discount}
        of={[
          ['PERCENT', t.coupons.percent],
          ['FIXED', t.coupons.fixed],
        ]}
      />
      {isPercent(values) ? (
        <Field name="percent" label={t.coupons.percentLabel} inputMode="decimal" placeholder="20" />
      ) : (
        <MoneyField name="amountOff" label={t.common.amount} />
      )}
    </div>
    <div class="form-row">
      <Choice name="duration" label={t.coupons.durationTitle} of={Object.entries(t.coupons.duration)} />
      {isRepeating(values) && (
        <Field name="durationCycles" type="number" min={1} max={999} label={t.coupons.cyclesLabel} />
      )}
    </div>
  </>
)

const LimitFields = () => {
  const { data } = useGet('/v1/plans', { query: { pageSize: 200 } })
  const count = { type: 'number', min: 1, isOptional: true } as const
  return (
    <FormPart title={t.coupons.limits}>
      <div class="form-row">
        <Field {...count} name="maxRedemptions" label={t.coupons.max} />
        <Field {...count} name="maxRedemptionsPerCustomer" label={t.coupons.maxPerCustomer} />
      </div>
      <div class="form-row">
        <MoneyField name="minAmount" label={t.coupons.min} isOptional />
        <Field name="expiresAt" type="date" label={t.coupons.expires} isOptional />
      </div>
      {data && data.data.length > 0 && (
        <Checks
          name="planIds"
          label={t.nav.plans}
          hint={t.coupons.plansHint}
          of={data.data.map(({ id, name }) => [id, name])}
        />
      )}
    </FormPart>
  )
}

const valuesOf = (coupon: Coupon): Values => ({
  code: coupon.code,
  name: coupon.name ?? '',
  discountType: coupon.discountType,
  percent: coupon.percentBps === null ? '' : percentText(coupon.percentBps),
  amountOff: coupon.amountOff === null ? '' : amountText(coupon.amountOff),
  duration: coupon.duration,
  durationCycles: String(coupon.durationCycles ?? ''),
  maxRedemptions: String(coupon.maxRedemptions ?? ''),
  maxRedemptionsPerCustomer: String(coupon.maxRedemptionsPerCustomer ?? ''),
  minAmount: coupon.minAmount === null ? '' : amountText(coupon.minAmount),
  planIds: (coupon.planIds ?? []).join(),
  expiresAt: coupon.expiresAt?.slice(0, 10) ?? '',
  active: coupon.active ? 'true' : '',
})

const save = (coupon: Coupon | null, values: Values): Promise<unknown> => {
  const terms = {
    discountType: values.discountType as Coupon['discountType'],
    ...(isPercent(values)
      ? { percentBps: bpsOf(values.percent) ?? 0 }
      : { amountOff: unitsOf(values.amountOff) }),
    duration: values.duration as Coupon['duration'],
    ...(isRepeating(values) && { durationCycles: wholeOf(values.durationCycles) ?? 1 }),
  }
  const { maxRedemptions, maxRedemptionsPerCustomer, minAmount, planIds, expiresAt } = values
  const rest = {
    ...(maxRedemptions && { maxRedemptions: Number(maxRedemptions) }),
    ...(maxRedemptionsPerCustomer && { maxRedemptionsPerCustomer: Number(maxRedemptionsPerCustomer) }),
    ...(minAmount && { minAmount: unitsOf(minAmount) }),
    ...(planIds && { planIds: listOf(planIds) }),
    ...(expiresAt && { expiresAt: `${expiresAt}T23:59:59-03:00` }),
    ...filled(values, 'name'),
  }
  if (coupon === null)
    return post('/v1/coupons', { body: { code: values.code!.trim(), ...terms, ...rest } as never })
  // The service refuses new terms for a used coupon, so they are not sent.
  const changed = coupon.redemptionsCount === 0 ? terms : {}
  const body = { ...changed, ...rest, active: values.active === 'true' } as never
  return patch('/v1/coupons/{id}', { ...withId(coupon.id), body })
}
