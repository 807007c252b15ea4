#!/usr/bin/env bash
# @hono/zod-openapi 1.6.3: whether a schema with a name takes null is decided by where it is used first.
# Guess: in OpenAPI 3.1 `Place.nullable()` is the component or the type `null`, and the component stays as it
# is.
# So: used first as nullable, the component itself takes null, and so does every other place that names it.
# Used first without, a nullable place becomes an `allOf` with the component, which null never satisfies. In
# the order of two properties lies whether the document allows null everywhere or nowhere.
#
# Output seen on 2026-11-29:
#   Place is "object", home is {"allOf":[{"$ref":"#/components/schemas/Place"},{"type":["object","null"]}]}
#   Place is ["object","null"], home is {"$ref":"#/components/schemas/Place"}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @hono/zod-openapi@1.6.3 hono@4.13.19 zod@4.6.7

seen=$(node --input-type=module - <<'END'
import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
function documented(booking) {
  const place = z.object({ city: z.string() }).openapi("Place");
  const content = { "application/json": { schema: z.object(booking(place)).openapi("Booking") } };
  const responses = { 200: { description: "A booking", content } };
  const app = new OpenAPIHono();
  app.openapi(createRoute({ method: "get", path: "/", responses }), (c) => c.json({}));
  const info = { title: "Bookings", version: "1" };
  const { Place, Booking } = app.getOpenAPI31Document({ openapi: "3.1.0", info }).components.schemas;
  console.log(`Place is ${JSON.stringify(Place.type)}, home is ${JSON.stringify(Booking.properties.home)}`);
}
documented((place) => ({ office: place, home: place.nullable() }));
documented((place) => ({ home: place.nullable(), office: place }));
END
)

expected=$(cat <<'END'
Place is "object", home is {"allOf":[{"$ref":"#/components/schemas/Place"},{"type":["object","null"]}]}
Place is ["object","null"], home is {"$ref":"#/components/schemas/Place"}
END
)
diff <(echo "$expected") <(echo "$seen") || { echo "The behaviour changed."; exit 1; }
echo "$seen"
