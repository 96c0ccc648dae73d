import { type Authenticator, credsAuthenticator, nkeyAuthenticator, nkeys } from '@nats-io/transport-node'

/** What a server's configuration says of the only one that it lets in, and how that one is known to it. */
export type Identity = {
  readonly config: string
  /** What is in the file of NATS_NKEY_FILE or NATS_CREDS_FILE. */
  readonly file: string
  readonly authenticator: Authenticator
}

/** An nkey (https://docs.nats.io, Security, NKeys): the server knows the public key, the service signs a nonce. */
export const nkeyIdentity = (): Identity => {
  const user = nkeys.createUser()
  const seed = user.getSeed()
  return {
    config: `authorization { users: [ { nkey: ${user.getPublicKey()} } ] }`,
    file: `${textOf(seed)}\n`,
    authenticator: nkeyAuthenticator(seed),
  }
}

/** A JWT that an account has signed, which an operator has signed, as `nsc` makes them (NATS, Decentralized JWT). */
export const jwtIdentity = (): Identity => {
  const operator = nkeys.createOperator()
  const [account, systemAccount] = [nkeys.createAccount(), nkeys.createAccount()]
  const user = nkeys.createUser()
  const limits = { ...noLimits, ...anyStorage }
  const accountJwt = jwt(operator, account.getPublicKey(), { type: 'account', version: 2, limits })
  const systemClaims = { type: 'account', version: 2, limits: noLimits }
  const systemJwt = jwt(operator, systemAccount.getPublicKey(), systemClaims)
  const userJwt = jwt(account, user.getPublicKey(), {
    type: 'user',
    version: 2,
    subs: -1,
    data: -1,
    payload: -1,
  })
  const creds = [
    '-----BEGIN NATS USER JWT-----',
    userJwt,
    '------END NATS USER JWT------',
    '',
    '-----BEGIN USER NKEY SEED-----',
    textOf(user.getSeed()),
    '------END USER NKEY SEED------',
    '',
  ].join('\n')
  return {
    config: [
      `operator: ${jwt(operator, operator.getPublicKey(), { type: 'operator', version: 2 })}`,
      `system_account: ${systemAccount.getPublicKey()}`,
      'resolver: MEMORY',
      'resolver_preload: {',
      `  ${account.getPublicKey()}: ${accountJwt}`,
      `  ${systemAccount.getPublicKey()}: ${systemJwt}`,
      '}',
    ].join('\n'),
    file: creds,
    authenticator: credsAuthenticator(Buffer.from(creds)),
  }
}

const jwt = (issuer: nkeys.KeyPair, subject: string, claims: object): string => {
  const parts = [
    { typ: 'JWT', alg: 'ed25519-nkey' },
    {
      jti: subject,
      iat: 1_800_000_000,
      iss: issuer.getPublicKey(),
      sub: subject,
      name: 'test',
      nats: claims,
    },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  const signature = Buffer.from(issuer.sign(Buffer.from(parts.join('.')))).toString('base64url')
  return [...parts, signature].join('.')
}

const noLimits = {
  subs: -1,
  data: -1,
  payload: -1,
  imports: -1,
  exports: -1,
  wildcards: true,
  conn: -1,
  leaf: -1,
}
/** Without it an account has no JetStream; the system account may have none. */
const anyStorage = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 }

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString()
