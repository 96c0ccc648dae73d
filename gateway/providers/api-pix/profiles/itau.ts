import { type BankProfile, unpublishedLimits } from '../profile.ts'

/** Three headers with every call. The certificate is the bank's own, signed for the client id. */
export const itau: BankProfile = {
  name: 'itau',
  label: 'Itaú',
  institution: '60701190',
  clearingCode: 341,
  apiVersion: '2.9.0',
  hosts: {
    PRODUCTION: {
      token: 'https://sts.itau.com.br/api/oauth/token',
      api: 'https://secure.api.itau',
      prefix: '/pix_recebimentos',
    },
    TEST: {
      token: 'https://sandbox.devportal.itau.com.br/api/oauth/token',
      api: 'https://sandbox.devportal.itau.com.br',
      prefix: '/pix_recebimentos',
    },
  },
  versions: {},
  token: { client: 'BODY', form: 'FORM', scopesAreRequested: false, isFixedAtTestHost: false },
  headers: [
    { name: 'x-itau-apikey', is: 'CLIENT_ID' },
    { name: 'x-itau-correlationID', is: 'UUID' },
    { name: 'x-itau-flowID', is: 'UUID' },
  ],
  hook: { appendsPath: true, headers: {} },
  windowDaysMax: null,
  limits: unpublishedLimits,
  medFeed: null,
  payOut: null,
  statement: null,
  tariffIn: null,
  taxWithheldIn: null,
  payerIn: null,
}
