import type { ComponentChildren } from 'preact'
import type { Schemas } from '../../core/api.ts'
import { percent } from '../../core/format.ts'
import { bpsOf, wholeOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { can } from '../../core/session.ts'
import { Checks, listOf } from '../../parts/checks.tsx'
import { SplitRuleField } from '../../parts/common-fields.tsx'
import { Check, Choice, Field, FormPart, useFormAround, type Values } from '../../parts/form.tsx'
import { planErrors, planOf, sellsPlan, useActiveProducts, usePlanMethods } from './sold-plan.tsx'
import { say } from './with-texts.tsx'

type LinkBody = Schemas['CreatePaymentLinkRequest']
type Method = Schemas['PaymentLink']['methods'][number]
type Offer = Pick<Schemas['PaymentLink'], 'methods' | 'planId' | 'installments'>

/** What the form of a link and that of a session begin with. */
export const offerValues: Values = { mode: 'PAYMENT', installments: '1', interestFreeUpTo: '1', rate: '' }

/** How the page is paid: methods and coupons, and of an amount installments and the division, which a plan decides itself. */
export const PaymentFields = ({ children }: { children?: ComponentChildren }) => {
  const isOfPlan = sellsPlan(useFormAround().values)
  return (
    <FormPart title={isOfPlan ? say.plan.payment : say.offer.more.payment}>
      {isOfPlan ? <PlanMethodsField /> : <MethodsField of={methods} />}
      {!isOfPlan && <InstallmentFields />}
      <Check name="allowCoupons" label={say.offer.coupons} />
      {children}
      {!isOfPlan && can('marketplace.manage') && <SplitRuleField />}
    </FormPart>
  )
}

const InstallmentFields = () => {
  const most = Number(useFormAround().values.installments)
  return (
    <>
      <div class="form-row">
        <Choice name="installments" label={say.offer.installments} of={upTo(12, say.offer.upTo)} />
        {most > 1 && (
          <Choice
            name="interestFreeUpTo"
            label={say.offer.interestFree}
            of={upTo(most, (many) => `${many}×`)}
          />
        )}
      </div>
      {most > 1 && (
        <Field
          name="rate"
          label={say.offer.rate}
          hint={say.offer.rateHint}
          inputMode="decimal"
          isOptional
          placeholder="1,99"
          autoComplete="off"
        />
      )}
    </>
  )
}

const upTo = (most: number, text: (many: number) => string): [string, string][] =>
  Array.from({ length: most }, (_, n) => [String(n + 1), text(n + 1)])

const PlanMethodsField = () => <MethodsField of={usePlanMethods()} />

/** Those of some methods whose products the company has. */
const MethodsField = ({ of }: { of: readonly Method[] }) => {
  const active = useActiveProducts()
  const offered = of.filter((method) => active === undefined || active.includes(productOf[method]))
  return (
    <Checks
      name="methods"
      label={say.offer.methods}
      hint={say.offer.methodsHint}
      of={offered.map((method) => [method, t.method[method]])}
    />
  )
}

const productOf = {
  PIX: 'PIX',
  BOLETO: 'BOLETO',
  CREDIT_CARD: 'CARD',
  DEBIT_CARD: 'CARD',
  CRYPTO: 'CRYPTO',
} as const
const methods = Object.keys(productOf) as Method[]

/** What the page asks the payer, and where it sends them afterwards. */
export const PayerFields = () => {
  const { values } = useFormAround()
  const isOfPlan = sellsPlan(values)
  // The next question appears once the one before it is written.
  const shown = [1, 2, 3].filter((n) => n === 1 || values[`question${n - 1}`]?.trim())
  return (
    <FormPart title={say.offer.more.payer}>
      <Checks
        name="collect"
        label={say.offer.collect}
        hint={isOfPlan ? say.plan.collectHint : say.offer.collectHint}
        of={Object.entries(say.offer.fields).filter(([field]) => !isOfPlan || !isOfSubscriber(field))}
      />
      {shown.map((n) => (
        <div key={n}>
          <div class="form-row">
            <Field
              name={`question${n}`}
              label={say.offer.question(n)}
              hint={n === 1 && say.offer.questionHint}
              isOptional
              maxLength={60}
              autoComplete="off"
            />
            {values[`question${n}`]?.trim() && (
              <Field
                name={`options${n}`}
                label={say.offer.options}
                hint={say.offer.optionsHint}
                isOptional
                autoComplete="off"
              />
            )}
          </div>
          {values[`question${n}`]?.trim() && <Check name={`required${n}`} label={say.offer.mustAnswer} />}
        </div>
      ))}
      <Field
        name="successUrl"
        type="url"
        label={say.offer.successUrl}
        hint={say.offer.successHint}
        isOptional
        maxLength={2048}
        autoComplete="off"
        placeholder="https://"
      />
    </FormPart>
  )
}

/** Who subscribes is registered, and asked for these in any case. */
const isOfSubscriber = (field: string): boolean =>
  field === 'name' || field === 'document' || field === 'email'

/** What is wrong with the fields of an offer: of an amount with those of its price, too. */
export const offerErrors = (
  values: Values,
  priceErrors: (values: Values) => Record<string, string | null>,
): Record<string, string | null> => {
  const { successUrl } = values
  return {
    ...(sellsPlan(values) ? planErrors(values) : { ...priceErrors(values), rate: rateError(values) }),
    successUrl: successUrl?.trim() && !/^https?:\/\//i.test(successUrl.trim()) ? say.offer.notHttps : null,
  }
}

const rateError = ({ installments, rate }: Values): string | null =>
  Number(installments) > 1 && rate?.trim() && !isRate(bpsOf(rate)) ? say.offer.rateWrong : null

const isRate = (bps: number | null): boolean => bps !== null && bps <= 500

/** The offer that a form describes, at the price that it names unless a plan decides it. What was chosen before and does not apply is left out. */
export const offerOf = (values: Values, priceOf: (values: Values) => object): Partial<LinkBody> => {
  const { allowCoupons, successUrl, description } = values
  const isOfPlan = sellsPlan(values)
  const methods = listOf(values.methods).filter((method) => !isOfPlan || method !== 'CRYPTO') as Method[]
  const asked = listOf(values.collect).filter((field) => !isOfPlan || !isOfSubscriber(field))
  const fields = customFieldsOf(values)
  return {
    ...(isOfPlan ? planOf(values) : { ...priceOf(values), ...termsOf(values) }),
    ...(methods.length > 0 && { methods }),
    ...(allowCoupons && { allowCoupons: true }),
    ...(asked.length > 0 && { collect: Object.fromEntries(asked.map((field) => [field, 'REQUIRED'])) }),
    ...(fields.length > 0 && { customFields: fields }),
    ...(description?.trim() && { description: description.trim() }),
    ...(successUrl?.trim() && { successUrl: successUrl.trim() }),
  }
}

/** Installments and division of an amount. */
const termsOf = ({ installments, interestFreeUpTo, rate, splitRuleId }: Values): Partial<LinkBody> => {
  const max = Number(installments)
  return {
    ...(max > 1 && {
      installments: {
        max,
        interestFreeUpTo: Math.min(max, wholeOf(interestFreeUpTo) ?? 1),
        monthlyRateBps: bpsOf(rate) ?? 0,
      },
    }),
    ...(splitRuleId && { splitRuleId }),
  }
}

const customFieldsOf = (values: Values): NonNullable<LinkBody['customFields']> =>
  [1, 2, 3].flatMap((n) => {
    const label = values[`question${n}`]?.trim()
    if (!label) return []
    const options = (values[`options${n}`] ?? '')
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean)
    return [
      {
        key: `pergunta${n}`,
        label,
        required: values[`required${n}`] === 'true',
        ...(options.length > 0 && { type: 'OPTION' as const, options }),
      },
    ]
  })

/** The installments of a card, where one can pay an amount. */
export const installmentsFact = ({ methods, planId, installments }: Offer): string | false =>
  planId === null && methods.includes('CREDIT_CARD') && installmentsText(installments)

/** Up to how many, how many of them without interest, and the rate of the others. */
const installmentsText = ({ max, interestFreeUpTo, monthlyRateBps }: Offer['installments']): string =>
  [
    say.offer.upTo(max),
    max > 1 && `${say.offer.interestFree.toLocaleLowerCase()} ${interestFreeUpTo}×`,
    interestFreeUpTo < max && monthlyRateBps > 0 && say.offer.interest(percent(monthlyRateBps)),
  ]
    .filter(Boolean)
    .join(' · ')
