import Type from 'typebox'

/** A bank account as requests name it. */
export const bankAccountFields = {
  bankCode: Type.String({ format: 'bank-code', description: 'Three digits.', examples: ['341'] }),
  branch: Type.String({
    format: 'bank-branch',
    description: 'One to five digits, and a check digit after a dash where there is one.',
    examples: ['1234-5'],
  }),
  account: Type.String({
    format: 'bank-account',
    description: 'One to 13 digits, and a check digit after a dash where there is one.',
    examples: ['123456-7'],
  }),
}
