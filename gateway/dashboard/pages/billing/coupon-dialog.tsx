import { del, patch, post, type Schemas, withId } from '../../core/api.ts'
import { amountText, percentText } from '../../core/format.ts'
import { bpsOf, cents, wholeOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { type Closable, FormDialog, RemoveFoot } from '../../parts/dialog.tsx'
import {
  amountError,
  Check,
  Checks,
  Choice,
  Field,
  FormPart,
  filled,
  listOf,
  MoneyField,
  requiredError,
  type Values,
} from '../../parts/form.tsx'

type Coupon = Schemas['Coupon']

/** A new coupon, or changes of one. */
export const CouponDialog = ({ coupon, onClose }: Closable & { coupon: Coupon | null }) => (
  <FormDialog
    title={coupon ? coupon.code : t.coupons.create}
    submit={coupon ? t.common.save : t.common.create}
    values={coupon ? valuesOf(coupon) : { code: '', discountType: 'PERCENT', duration: 'ONCE' }}
    check={(values) => ({
      code: requiredError(values.code),
      percent: isPercent(values) && bpsOf(values.percent) === null ? t.boletos.notARate : null,
      amountOff: isPercent(values) ? null : amountError(values.amountOff),
      durationCycles: isRepeating(values) ? requiredError(values.durationCycles) : null,
      minAmount: amountError(values.minAmount, true),
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
      : { amountOff: cents(values.amountOff) }),
    duration: values.duration as Coupon['duration'],
    ...(isRepeating(values) && { durationCycles: wholeOf(values.durationCycles) ?? 1 }),
  }
  const { maxRedemptions, maxRedemptionsPerCustomer, minAmount, planIds, expiresAt } = values
  const rest = {
    ...(maxRedemptions && { maxRedemptions: Number(maxRedemptions) }),
    ...(maxRedemptionsPerCustomer && { maxRedemptionsPerCustomer: Number(maxRedemptionsPerCustomer) }),
    ...(minAmount && { minAmount: cents(minAmount) }),
    ...(planIds && { planIds: listOf(planIds) }),
    ...(expiresAt && { expiresAt: `${expiresAt}T23:59:59-03:00` }),
    ...filled(values, 'name'),
  }
  if (coupon === null)
    return post('/v1/coupons', { body: { code: values.code!.trim(), ...terms, ...rest } as never })
  // Terms of a coupon that was used are fixed, and the service says so; unchanged ones are not sent.
  const changed = coupon.redemptionsCount === 0 ? terms : {}
  const body = { ...changed, ...rest, active: values.active === 'true' } as never
  return patch('/v1/coupons/{id}', { ...withId(coupon.id), body })
}
