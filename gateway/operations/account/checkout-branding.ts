import type { CheckoutBranding, Portal } from '../../../engine/companies/checkout-branding.ts'
import {
  type CardLimits,
  cardLimitNames,
  noCardLimits,
  usualCardLimits,
} from '../../../engine/shared/card-limits.ts'
import { differing } from '../../../engine/shared/differing.ts'
import { readPhone } from '../../../engine/shared/documents.ts'
import type { PlanId } from '../../../engine/shared/ids.ts'
import { bounds } from '../../base/bounds.ts'
import { readInternationalEmail } from '../../base/emails.ts'
import { type Format, formats, readHttpsUrl } from '../../base/formats.ts'
import type { Asker } from '../../identity/asked.ts'
import { misread, mistyped, refuseField } from '../../problems/refusal.ts'
import { checkoutBranding } from '../../resources/checkout/branding.ts'
import { type Input, listOfInput, numberOf, type OperationOn, objectOf, taking } from '../input.ts'
import type { OperationsOptions } from '../operation-options.ts'
import { companyAt } from './company-operations.ts'

type Options = Pick<OperationsOptions, 'directory' | 'commit' | 'accounts' | 'realNow'>

const texts = [
  'displayName',
  'accent',
  'supportEmail',
  'supportPhone',
  'termsUrl',
  'privacyUrl',
  'thankYouText',
] as const
const portalMembers = ['cancel', 'changeCard', 'changePlan'] as const

/**
 * Changes what the pages show where payers pay; `member` of the input names the company. What is left out stays, and null takes a
 * text away.
 */
export const changingBranding = (member: 'company' | 'id'): OperationOn<Options> =>
  taking(
    [member, 'environment', ...texts, 'portal', 'cardLimits'],
    async (options: Options, input: Input, by: Asker) => {
      const { directory, commit, accounts, realNow } = options
      const { id } = companyAt(directory, input, member)
      await commit(() => {
        const { checkout } = companyAt(directory, input, member)
        const changed = differing<CheckoutBranding>(checkout, brandingOf(input, checkout))
        return Object.keys(changed).length === 0
          ? null
          : {
              type: 'CompanyChanged',
              id,
              changes: { checkout: { ...checkout, ...changed } },
              atMs: realNow(),
            }
      }, by)
      // The limits of cards are kept by its accounts, so they hold once this answers.
      await accounts.open(id)
      return checkoutBranding.view(directory.companies.get(id)!)
    },
  )

/** The parts of the branding that an input gives. */
const brandingOf = (input: Input, { portal, cardLimits }: CheckoutBranding): Partial<CheckoutBranding> => ({
  ...Object.fromEntries(
    texts.flatMap((name) => (input[name] === undefined ? [] : [[name, textOf(input, name)]])),
  ),
  ...(input.portal !== undefined && { portal: portalOf(input.portal, portal) }),
  ...(input.cardLimits !== undefined && { cardLimits: limitsOf(input.cardLimits, cardLimits) }),
})

const textOf = (input: Input, name: (typeof texts)[number]): string | null => {
  const value = input[name]
  if (value !== null && typeof value !== 'string') mistyped(name, (say) => say.wanted.string(''))
  const text = (value as string | null)?.trim() ?? ''
  if (text === '') return null
  const { max, format, read = (same: string) => same } = readers[name]
  const found = [...text].length <= max && formats[format](text) ? read(text) : null
  return found ?? misread(name, (say) => say.wanted.formats[format](say.wanted.length(1, max)))
}

const readers: Readonly<
  Record<
    (typeof texts)[number],
    { readonly max: number; readonly format: Format; readonly read?: (text: string) => string | null }
  >
> = {
  displayName: { max: bounds.displayNameCharsMax, format: 'shown-name' },
  accent: { max: 7, format: 'color', read: (text) => text.toLowerCase() },
  supportEmail: { max: bounds.emailCharsMax, format: 'e-mail', read: readInternationalEmail },
  supportPhone: { max: 40, format: 'phone', read: readPhone },
  termsUrl: { max: bounds.pageUrlCharsMax, format: 'https-url', read: readHttpsUrl },
  privacyUrl: { max: bounds.pageUrlCharsMax, format: 'https-url', read: readHttpsUrl },
  thankYouText: { max: bounds.thankYouCharsMax, format: 'multiline-text' },
}

const portalOf = (value: unknown, before: Portal): Portal => {
  const given = objectOf(value, 'portal', portalMembers)
  const plans = listOfInput(given, 'changePlan')
  return {
    cancel: yesOrNo(given.cancel, 'portal.cancel', before.cancel),
    changeCard: yesOrNo(given.changeCard, 'portal.changeCard', before.changeCard),
    changePlan: plans === null ? before.changePlan : plansOf(plans),
  }
}

/** Limits are set lower and never higher; null, and an empty text of the command line, for the usual one. */
const limitsOf = (value: unknown, before: CardLimits): CardLimits => {
  if (value === null) return noCardLimits
  const given = objectOf(value, 'cardLimits', cardLimitNames)
  const limits = cardLimitNames.map((name) => {
    const limit = given[name]
    if (limit === undefined) return [name, before[name]]
    const isUsual = limit === null || limit === ''
    return [name, isUsual ? null : numberOf(limit, `cardLimits.${name}`, 1, usualCardLimits[name])]
  })
  return Object.fromEntries(limits) as CardLimits
}

const yesOrNo = (value: unknown, name: string, before: boolean): boolean => {
  if (value === undefined) return before
  if (typeof value === 'boolean') return value
  // The command line has only texts.
  if (value === 'yes' || value === 'no') return value === 'yes'
  return mistyped(name, (say) => say.wanted.boolean)
}

/** Plans by their ids. Each environment has its own, so one that an environment does not know is not offered there. */
const plansOf = (ids: readonly unknown[]): readonly PlanId[] => {
  const wrong = ids.some((id) => typeof id !== 'string' || !/^pln_[0-9A-Z]{26}$/.test(id.trim()))
  if (wrong || ids.length > bounds.portalPlansMax)
    refuseField('portal.changePlan', 'INVALID_VALUE', (say) => say.notValid('portal.changePlan'))
  return [...new Set(ids.map((id) => String(id).trim() as PlanId))]
}
