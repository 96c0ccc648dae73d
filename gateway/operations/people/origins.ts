/** Where the dashboard is: at the public address, or at the loopback where none is set. */
export const originsOf = (publicUrl: string, isTls: boolean, port: number): readonly string[] =>
  publicUrl === ''
    ? ['localhost', '127.0.0.1'].map((host) => `http${isTls ? 's' : ''}://${host}:${port}`)
    : [publicUrl]
