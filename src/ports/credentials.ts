/** An API key as its owner sees it: everything but the key. Times are epoch milliseconds. */
export interface ApiKey {
  id: string
  name: string
  scopes: string[]
  created_at: number
  expires_at: number | null
  /** The day of its last use (UTC), so that its use cannot be followed closely. */
  last_used_on: string | null
  revoked_at: number | null
}

export type NewApiKey = Pick<ApiKey, 'id' | 'name' | 'scopes' | 'created_at' | 'expires_at'>

/** The API keys of the practice, found by the SHA-256 of their secrets. */
export interface Credentials {
  create(key: NewApiKey, hash: string): Promise<void>
  /** The key with this secret, if it is good now. A key that was ended may be found for up to 30 seconds more. */
  lookup(hash: string): Promise<ApiKey | undefined>
  list(): Promise<ApiKey[]>
  /** Whether there is any credential at all to check against. */
  any(): Promise<boolean>
  revoke(id: string): Promise<boolean>
  rotate(id: string, hash: string, overlapMs: number): Promise<ApiKey | undefined>
}
