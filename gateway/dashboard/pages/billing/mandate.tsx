import type { Schemas } from '../../core/api.ts'
import { day, money } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { CopyBox } from '../../parts/copy-box.tsx'
import { copyable, FactSection } from '../../parts/facts.tsx'
import { Check, Field, FormPart, useFormAround, type Values } from '../../parts/form.tsx'
import { Status } from '../../parts/labels.tsx'
import { saying, useConnectionTexts } from '../connections/connection-texts.tsx'

type Mandate = NonNullable<Schemas['Subscription']['pixMandate']>

/** The mandate of Pix Automático by which a subscription collects; `paysBy` is the code that is shown already. */
export const MandateFacts = ({ of, paysBy }: { of: Mandate | null; paysBy: string | null }) => {
  const { areThere } = useConnectionTexts()
  if (of === null || !areThere) return null
  const { mandate } = saying
  return (
    <>
      <FactSection
        title={mandate.title}
        of={[
          [t.common.status, <Status key="status" is={of.status} of="mandate" />],
          [mandate.journey, mandate.journeys[of.journey]],
          [mandate.amount, of.amount === null ? mandate.varies : money(of.amount)],
          [
            mandate.maximum,
            of.maximumAmount && (
              <>
                {money(of.maximumAmount)}
                <small class="sub">{mandate.maximumHint}</small>
              </>
            ),
          ],
          [mandate.periodicity, mandate.period[of.periodicity]],
          [mandate.startOn, day(of.startOn)],
          [mandate.endOn, of.endOn && day(of.endOn)],
          [mandate.idRec, copyable(of.idRec)],
          [mandate.closedBy, of.closedBy && mandate.by[of.closedBy]],
          [mandate.code, of.code && <code>{of.code}</code>],
        ]}
      />
      {of.status === 'CREATED' && of.copyPaste && of.copyPaste !== paysBy && (
        <section class="section">
          <h2>{mandate.toAuthorize}</h2>
          <CopyBox label={mandate.toAuthorize} text={of.copyPaste} />
        </section>
      )}
    </>
  )
}

/** The fields by which a new subscription is collected by Pix Automático. */
export const MandateFields = () => {
  const { values } = useFormAround()
  const { areThere } = useConnectionTexts()
  if (!areThere) return null
  const { mandate } = saying
  const path = 'pixAutomatic.payerAccount'
  return (
    <>
      <Check name="pixAutomatic" label={mandate.offer} hint={mandate.offerHint} />
      {values.pixAutomatic === 'true' && (
        <FormPart title={mandate.account}>
          <p class="hint">{mandate.accountHint}</p>
          <div class="form-row">
            <Field name={`${path}.ispb`} label={mandate.ispb} isOptional inputMode="numeric" maxLength={8} />
            <Field name={`${path}.branch`} label={mandate.branch} isOptional maxLength={7} />
            <Field name={`${path}.account`} label={mandate.number} isOptional maxLength={20} />
          </div>
        </FormPart>
      )}
    </>
  )
}

/** What a form says of the mandate, as the API takes it. */
export const mandateOf = (values: Values): object => {
  if (values.method !== 'PIX' || values.pixAutomatic !== 'true') return {}
  const account = Object.fromEntries(
    ['ispb', 'branch', 'account'].flatMap((name) => {
      const text = values[`pixAutomatic.payerAccount.${name}`]?.trim()
      return text ? [[name, text]] : []
    }),
  )
  return { pixAutomatic: Object.keys(account).length === 0 ? {} : { payerAccount: account } }
}
