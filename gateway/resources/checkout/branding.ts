import Type from 'typebox'
import type { Portal } from '../../../engine/companies/checkout-branding.ts'
import type { Company } from '../../../engine/companies/company.ts'
import { shownEmailOrNull } from '../../base/emails.ts'
import { described } from '../../schema/named-schema.ts'
import { logoField, logoUri } from '../account/company.ts'
import { booleanOf, listOf, nullableText, objectField, textOf } from '../fields.ts'
import { phoneField } from '../payments/customer.ts'
import { part, resource, same } from '../resource.ts'

const portal = part<Portal>().with({
  cancel: [booleanOf('Whether payers can cancel their subscriptions.'), same],
  changeCard: [booleanOf('Whether they can change the card.'), same],
  changePlan: [
    listOf(Type.String(), 'The plans that they can change to; empty for none.'),
    ({ changePlan }) => [...changePlan],
  ],
})

/** What the pages show of the company where payers pay (checkout, section 4). */
export const checkoutBranding = resource<Company>(
  'CheckoutBranding',
  'How the pages look where payers pay, and what payers can do in the portal.',
).with({
  ...objectField('checkout_branding'),
  displayName: [
    described(nullableText, 'The name at the head of the pages; null for the trade name or the legal name.'),
    ({ checkout }) => checkout.displayName,
  ],
  legalName: [textOf('Razão social. It is always shown.'), ({ name }) => name],
  document: [textOf('CNPJ without punctuation. It is always shown.'), same],
  logo: [logoField, ({ logo }) => logoUri(logo)],
  accent: [
    described(
      nullableText,
      'The colour of buttons, `#rrggbb`. Where text on it could not be read, the pages use a darker or lighter shade.',
    ),
    ({ checkout }) => checkout.accent,
  ],
  supportEmail: [
    described(nullableText, 'Where payers write to.'),
    ({ checkout }) => shownEmailOrNull(checkout.supportEmail),
  ],
  supportPhone: [phoneField, ({ checkout }) => checkout.supportPhone],
  termsUrl: [described(nullableText, 'Terms of sale.'), ({ checkout }) => checkout.termsUrl],
  privacyUrl: [described(nullableText, 'Privacy policy.'), ({ checkout }) => checkout.privacyUrl],
  thankYouText: [
    described(nullableText, 'What a payer reads who has paid.'),
    ({ checkout }) => checkout.thankYouText,
  ],
  portal: [
    described(portal.schema, 'What payers can do with their subscriptions by themselves.'),
    ({ checkout }) => portal.view(checkout.portal),
  ],
})
