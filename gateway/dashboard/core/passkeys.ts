import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'

/** Options for the browser's credentials, which the service makes and the browser checks. */
export type CredentialOptions = { challenge: string }

/** Has the person prove a passkey. Rejects if they turn away. */
export const provePasskey = (options: CredentialOptions): Promise<unknown> =>
  startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON })

/** Has the person's device make a passkey. Rejects if they turn away. */
export const makePasskey = (options: CredentialOptions): Promise<unknown> =>
  startRegistration({ optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON })

/** Whether this browser knows passkeys, and the address can have them: a bare IP address cannot. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' && !/^[\d.]+$|^\[/.test(location.hostname)
