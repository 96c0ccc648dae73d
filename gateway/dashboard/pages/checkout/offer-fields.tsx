import type { Schemas } from '../../core/api.ts'
import { bpsOf, wholeOf } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { currentPlace } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Checks, listOf } from '../../parts/checks.tsx'
import { SplitRuleField } from '../../parts/common-fields.tsx'
import { Check, Choice, Field, FormPart, useFormAround, type Values } from '../../parts/form.tsx'
import { say } from './with-texts.tsx'

type LinkBody = Schemas['CreatePaymentLinkRequest']
type Method = Schemas['PaymentLink']['methods'][number]
type Installments = Schemas['PaymentLink']['installments']

/** What the form of a link and that of a session begin with. */
export const offerValues: Values = { installments: '1', interestFreeUpTo: '1', rate: '' }

/** How the page is paid: methods, installments, coupons and the division. */
export const PaymentFields = () => {
  const { installments } = useFormAround().values
  const most = Number(installments)
  return (
    <FormPart title={say.offer.more.payment}>
      <MethodsField />
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
      <Check name="allowCoupons" label={say.offer.coupons} />
      {can('marketplace.manage') && <SplitRuleField />}
    </FormPart>
  )
}

const upTo = (most: number, text: (many: number) => string): [string, string][] =>
  Array.from({ length: most }, (_, n) => [String(n + 1), text(n + 1)])

/** The methods whose products the company has. */
const MethodsField = () => {
  const { data } = useGet(can('company.read') ? '/v1/company' : null)
  const active = data?.products[currentPlace()?.environment ?? 'SANDBOX']
  const offered = (Object.keys(productOf) as Method[]).filter(
    (method) => active === undefined || active.includes(productOf[method]),
  )
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

/** What the page asks the payer, and where it sends them afterwards. */
export const PayerFields = () => {
  const { values } = useFormAround()
  // The next question appears once the one before it is written.
  const shown = [1, 2, 3].filter((n) => n === 1 || values[`question${n - 1}`]?.trim())
  return (
    <FormPart title={say.offer.more.payer}>
      <Checks
        name="collect"
        label={say.offer.collect}
        hint={say.offer.collectHint}
        of={Object.entries(say.offer.fields)}
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

/** What is wrong with the fields of an offer. */
export const offerErrors = ({ installments, rate, successUrl }: Values): Record<string, string | null> => ({
  rate: Number(installments) > 1 && rate?.trim() && !isRate(bpsOf(rate)) ? say.offer.rateWrong : null,
  successUrl: successUrl?.trim() && !/^https?:\/\//i.test(successUrl.trim()) ? say.offer.notHttps : null,
})

const isRate = (bps: number | null): boolean => bps !== null && bps <= 500

/** The offer that a form describes. */
export const offerOf = (values: Values): Partial<LinkBody> => {
  const { methods, allowCoupons, splitRuleId, collect, successUrl, description } = values
  const max = Number(values.installments)
  const fields = customFieldsOf(values)
  return {
    ...(methods && { methods: listOf(methods) as Method[] }),
    ...(max > 1 && {
      installments: {
        max,
        interestFreeUpTo: Math.min(max, wholeOf(values.interestFreeUpTo) ?? 1),
        monthlyRateBps: bpsOf(values.rate) ?? 0,
      },
    }),
    ...(allowCoupons && { allowCoupons: true }),
    ...(splitRuleId && { splitRuleId }),
    ...(collect && {
      collect: Object.fromEntries(listOf(collect).map((field) => [field, 'REQUIRED'])),
    }),
    ...(fields.length > 0 && { customFields: fields }),
    ...(description?.trim() && { description: description.trim() }),
    ...(successUrl?.trim() && { successUrl: successUrl.trim() }),
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

/** Installments in words: up to how many, how many of them without interest, and the rate of the others. */
export const installmentsText = ({ max, interestFreeUpTo, monthlyRateBps }: Installments, rate: string) =>
  [
    say.offer.upTo(max),
    max > 1 && `${say.offer.interestFree.toLocaleLowerCase()} ${interestFreeUpTo}×`,
    interestFreeUpTo < max && monthlyRateBps > 0 && say.offer.interest(rate),
  ]
    .filter(Boolean)
    .join(' · ')
