import Type, { type Static } from 'typebox'
import { operationRoute } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import {
  bankAccountType,
  branding,
  companyProfile,
  companyType,
  goLiveChecklist,
} from '../../resources/account/company.ts'
import { addressInput } from '../../resources/payments/customer.ts'
import { idParameter, orNull, textUpTo } from '../../schema/schema.ts'
import { bankAccountFields } from '../bank-account-fields.ts'

const ofCompany = { tag: 'Company', product: null } as const
const manages = { ...ofCompany, permission: 'company.manage', factor: 'SESSION' } as const

export const getCompanyRoute = operationRoute({
  ...ofCompany,
  permission: 'company.read',
  verb: 'GET',
  path: '/v1/company',
  operationId: 'getCompany',
  summary: 'Get the company',
  description: 'What the company says of itself, with what is to change.',
  answer: companyProfile.schema,
  operation: 'company get',
})

export const getChecklistRoute = operationRoute({
  ...ofCompany,
  permission: 'company.read',
  verb: 'GET',
  path: '/v1/company/checklist',
  operationId: 'getGoLiveChecklist',
  summary: 'Get the checklist to go live',
  description:
    'What the company does itself before it takes payments in the environment, and what of it is done. Whether a bank is connected says `connectedRails` of the overview.',
  answer: goLiveChecklist.schema,
  operation: 'company checklist',
})

export const getBrandingRoute = operationRoute({
  ...ofCompany,
  permission: 'OPEN',
  verb: 'GET',
  path: '/v1/branding',
  operationId: 'getBranding',
  summary: 'Get what a company shows to strangers',
  description:
    'The logo that the dashboard shows at sign-in, where the link names the company. It is null for a company without one, and for an id of none.',
  parameters: Type.Object({ companyId: idParameter('The company, `cmp_…`.') }),
  answer: branding.schema,
  operation: 'company branding',
  input: (_, { companyId }) => ({ companyId }),
})

const changes = Type.Object({
  legalName: Type.Optional(textUpTo(bounds.nameCharsMax, 'Razão social.')),
  tradeName: Type.Optional(orNull(textUpTo(bounds.nameCharsMax, 'Nome fantasia; null takes it away.'))),
  companyType: Type.Optional(companyType),
  address: Type.Optional({
    ...addressInput,
    description: 'The whole seat. Its city is also that of QR codes.',
  }),
  email: Type.Optional(orNull(Type.String({ format: 'e-mail', description: 'Null takes it away.' }))),
  phone: Type.Optional(orNull(Type.String({ format: 'phone', description: 'Null takes it away.' }))),
  website: Type.Optional(
    orNull(textUpTo(bounds.websiteCharsMax, 'Begins with `https://` or `http://`; null takes it away.')),
  ),
  statementDescriptor: Type.Optional(
    orNull(
      Type.String({
        format: 'statement-descriptor',
        description:
          'What payers read on the statements of their cards: 5 to 22 of A–Z, 0–9, dot, asterisk, hyphen and space.',
      }),
    ),
  ),
  timeZone: Type.Optional(
    textUpTo(60, 'IANA name, such as `America/Manaus`. Days change from the next midnight on.'),
  ),
  bankAccount: Type.Optional(
    Type.Unsafe<object | null>({
      ...Type.Object({ ...bankAccountFields, accountType: bankAccountType }),
      type: ['object', 'null'],
      description:
        'An account in the company’s own name; null takes it away. Only an owner can set it, with a second factor for this very operation. It counts a day later.',
    }),
  ),
})

export const changeCompanyRoute = operationRoute({
  ...manages,
  verb: 'PATCH',
  path: '/v1/company',
  operationId: 'changeCompany',
  factorFields: ['bankAccount'],
  summary: 'Change the company',
  description:
    'Changes what is sent, and leaves the rest. Name and address reach the QR codes and boletos of charges that are created from then on.',
  body: changes,
  answer: companyProfile.schema,
  operation: 'company update',
  input: ({ legalName, address, ...others }: Static<typeof changes>) => ({
    ...others,
    ...(legalName !== undefined && { name: legalName }),
    ...(address !== undefined && { address: { complement: null, ...address }, city: address.city }),
  }),
})

export const setCompanyLogoRoute = operationRoute({
  ...manages,
  verb: 'PUT',
  path: '/v1/company/logo',
  operationId: 'setCompanyLogo',
  summary: 'Set the logo of the company',
  description:
    'A PNG or JPEG picture of 64 to 1024 pixels on each side. SVG is refused: it can hold a script.',
  body: Type.Object({
    image: orNull(
      textUpTo(
        bounds.logoCharsMax + 30,
        'The picture in base64, at most 48 KB of it, or as a data URI; null takes the logo away.',
      ),
    ),
  }),
  answer: companyProfile.schema,
  operation: 'company logo',
})
