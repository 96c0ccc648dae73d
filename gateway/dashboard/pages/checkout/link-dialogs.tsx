import { patch, post, type Schemas, withId } from '../../core/api.ts'
import { amountText, amountTyped, instantOf, isoDay } from '../../core/format.ts'
import { unitsOf, wholeOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { DescriptionField } from '../../parts/common-fields.tsx'
import { type Closable, FormDialog } from '../../parts/dialog.tsx'
import {
  amountError,
  Check,
  Field,
  FormPart,
  MoneyField,
  requiredError,
  useFormAround,
  type Values,
} from '../../parts/form.tsx'
import { offerErrors, offerOf, offerValues, PayerFields, PaymentFields } from './offer-fields.tsx'
import { ModeField, PlanFields, sellsPlan } from './sold-plan.tsx'
import { say } from './with-texts.tsx'

type Link = Schemas['PaymentLink']

/** A new link: what is sold and for how much is enough; the rest is folded. */
export const NewLinkDialog = ({ onClose }: Closable) => (
  <FormDialog
    title={say.link.create}
    submit={say.link.createAction}
    values={{ ...offerValues, title: '', amount: '' }}
    check={(values) => ({
      title: requiredError(values.title),
      ...offerErrors(values, priceErrors),
    })}
    send={(values) =>
      post('/v1/payment-links', {
        body: {
          title: values.title!.trim(),
          name: values.name?.trim() || values.title!.trim(),
          ...limitsOf(values),
          ...offerOf(values, priceOf),
        } as never,
      })
    }
    changes="/v1/payment-links"
    opens={({ id }: Link) => `links/${id}`}
    onClose={onClose}
  >
    {({ values }) => (
      <>
        <Field
          name="title"
          label={say.link.title}
          hint={say.link.titleHint}
          isFirst
          maxLength={80}
          autoComplete="off"
        />
        <ModeField />
        {sellsPlan(values) ? <PlanFields /> : <PriceFields isOpen={values.isOpen === 'true'} />}
        <PaymentFields />
        <LimitFields />
        <PayerFields />
      </>
    )}
  </FormDialog>
)

const PriceFields = ({ isOpen }: { isOpen: boolean }) => (
  <>
    {isOpen ? <OpenPrice /> : <MoneyField name="amount" label={t.common.amount} />}
    <Check name="isOpen" label={say.link.anyAmount} />
  </>
)

const OpenPrice = () => (
  <>
    <div class="form-row">
      <MoneyField name="minAmount" label={say.link.min} />
      <MoneyField name="maxAmount" label={say.link.max} isOptional />
    </div>
    <Field
      name="suggestedAmounts"
      label={say.link.suggested}
      hint={say.link.suggestedHint}
      isOptional
      inputMode="decimal"
      autoComplete="off"
    />
  </>
)

const LimitFields = () => {
  const { values } = useFormAround()
  return (
    <FormPart title={say.offer.more.limits}>
      <NameField />
      <DescriptionField />
      {hasQuantity(values) && (
        <Field
          name="quantity"
          type="number"
          min={1}
          max={999}
          label={say.link.quantity}
          hint={say.link.quantityHint}
          isOptional
        />
      )}
      <WhileFields />
    </FormPart>
  )
}

const NameField = () => (
  <Field
    name="name"
    label={say.link.name}
    hint={say.link.nameHint}
    isOptional
    maxLength={80}
    autoComplete="off"
  />
)

/** How often, and until when. */
const WhileFields = () => (
  <div class="form-row">
    <Field
      name="maxPayments"
      type="number"
      min={1}
      max={100_000}
      label={say.link.maxPayments}
      hint={say.link.maxPaymentsHint}
      isOptional
    />
    <Field name="expires" type="date" label={say.link.expires} hint={say.link.expiresHint} isOptional />
  </div>
)

const minCents = 100n

const priceErrors = (values: Values): Record<string, string | null> => {
  if (!values.isOpen) return { amount: amountError(values.amount) }
  const wrong = {
    minAmount: amountError(values.minAmount),
    maxAmount: amountError(values.maxAmount, { isOptional: true }),
    suggestedAmounts: null,
  }
  if (wrong.minAmount !== null || wrong.maxAmount !== null) return wrong
  const min = BigInt(unitsOf(values.minAmount))
  const max = values.maxAmount?.trim() ? BigInt(unitsOf(values.maxAmount)) : null
  const suggested = suggestedOf(values)
  const fits = (units: string | null): boolean =>
    units !== null && BigInt(units) >= min && (max === null || BigInt(units) <= max)
  return {
    minAmount: min < minCents ? say.link.minTooLow : null,
    maxAmount: max !== null && max < min ? say.link.belowMin : null,
    suggestedAmounts: suggested.length > 5 || !suggested.every(fits) ? say.link.suggestedWrong : null,
  }
}

const suggestedOf = ({ suggestedAmounts }: Values): readonly (string | null)[] =>
  (suggestedAmounts ?? '')
    .split(';')
    .filter((one) => one.trim() !== '')
    .map((one) => amountTyped(one.trim()).units)

const priceOf = (values: Values): object => {
  if (!values.isOpen) return { amount: unitsOf(values.amount) }
  const suggested = suggestedOf(values)
  return {
    amountMode: 'OPEN',
    minAmount: unitsOf(values.minAmount),
    ...(values.maxAmount?.trim() && { maxAmount: unitsOf(values.maxAmount) }),
    ...(suggested.length > 0 && { suggestedAmounts: suggested }),
  }
}

const limitsOf = (values: Values): object => {
  const { maxPayments, expires, quantity } = values
  return {
    ...(maxPayments && { maxPayments: wholeOf(maxPayments) }),
    ...(expires && { expiresAt: endOf(expires) }),
    ...(quantity && hasQuantity(values) && { quantity: { min: 1, max: wholeOf(quantity) } }),
  }
}

/** Only what has a fixed price can be bought more than once at a time. */
const hasQuantity = (values: Values): boolean => !values.isOpen && !sellsPlan(values)

/** The last second of a day in the company's zone. */
const endOf = (day: string): string => new Date(instantOf(`${day}T23:59:59`)).toISOString()

/** Changes a link. Its amount is sent only where it was changed: it is refused once a payer has come. */
export const EditLinkDialog = ({ link, onClose }: Closable & { link: Link }) => {
  const { id, amount, items, paymentsCount, planId } = link
  const hasPrice = amount !== null && items.length === 0 && paymentsCount === 0 && planId === null
  const values = {
    title: link.title,
    name: link.name,
    amount: amount === null ? '' : amountText(amount),
    maxPayments: String(link.maxPayments ?? ''),
    expires: link.expiresAt === null ? '' : isoDay(Date.parse(link.expiresAt)),
  }
  return (
    <FormDialog
      title={say.link.edit}
      submit={t.common.save}
      values={values}
      check={(typed) => ({
        title: requiredError(typed.title),
        amount: hasPrice ? amountError(typed.amount) : null,
      })}
      send={({ title, name, amount: typed, maxPayments, expires }) =>
        patch('/v1/payment-links/{id}', {
          ...withId(id),
          body: {
            title: title!.trim(),
            name: name?.trim() || title!.trim(),
            ...(hasPrice && unitsOf(typed) !== amount && { amount: unitsOf(typed) }),
            maxPayments: wholeOf(maxPayments) ?? null,
            ...(expires !== values.expires && { expiresAt: expires ? endOf(expires) : null }),
          },
        })
      }
      changes="/v1/payment-links"
      done={t.common.saved}
      onClose={onClose}
    >
      <Field name="title" label={say.link.title} hint={say.link.titleHint} isFirst maxLength={80} />
      {hasPrice ? (
        <MoneyField name="amount" label={t.common.amount} hint={say.link.amountFixed} />
      ) : (
        <p class="hint">{planId === null ? say.link.amountFixed : say.plan.fixed}</p>
      )}
      <NameField />
      <WhileFields />
    </FormDialog>
  )
}
