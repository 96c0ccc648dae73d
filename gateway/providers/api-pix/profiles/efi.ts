import { type BankProfile, unpublishedLimits } from '../profile.ts'

/** Errors of its own form, two probes of each address for notices, a list of MED, and PIX that are sent under an id of ours. */
export const efi: BankProfile = {
  name: 'efi',
  label: 'Efí',
  institution: '09089356',
  clearingCode: 364,
  apiVersion: '2.9.0',
  hosts: {
    PRODUCTION: {
      token: 'https://pix.api.efipay.com.br/oauth/token',
      api: 'https://pix.api.efipay.com.br',
      prefix: '',
    },
    TEST: {
      token: 'https://pix-h.api.efipay.com.br/oauth/token',
      api: 'https://pix-h.api.efipay.com.br',
      prefix: '',
    },
  },
  versions: {},
  token: { client: 'BASIC', form: 'JSON', scopesAreRequested: false, isFixedAtTestHost: false },
  headers: [],
  // Notices without the bank's certificate could come from anywhere: the bank is never asked to do without its probes.
  hook: { appendsPath: true, headers: { 'x-skip-mtls-checking': 'false' } },
  windowDaysMax: null,
  limits: unpublishedLimits,
  medFeed: 'EFI',
  payOut: { kind: 'EFI' },
  statement: null,
  tariffIn: 'gnExtras.tarifa',
  taxWithheldIn: null,
  payerIn: 'gnExtras.pagador',
}
