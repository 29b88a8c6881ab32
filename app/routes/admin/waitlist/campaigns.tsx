/** How many wait by each campaign that brought them. */
import type { CampaignPlaces } from "../../../../shop/waitlist/desk-list.server.ts";
import { NONE } from "./filter.ts";

export function Campaigns({ campaigns }: { campaigns: CampaignPlaces[] }) {
  if (campaigns.length === 0) return null;
  return (
    <section>
      <h2 className="mb-2">By campaign</h2>
      <div className="admin-scroll">
        <table className="admin-table">
          <thead>
            <tr>
              <th scope="col">Source</th>
              <th scope="col">Campaign</th>
              {["Verified", "Not verified", "Unsubscribed", "Invited"].map((label) => (
                <th key={label} scope="col" className="number">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {campaigns.map(({ utmSource, utmCampaign, verified, unverified, unsubscribed, invited }) => {
              const query = new URLSearchParams({ source: utmSource ?? NONE, campaign: utmCampaign ?? NONE });
              return (
                <tr key={String(query)}>
                  <td className="max-w-40 truncate">
                    <a href={`?${query}`} className="admin-link">
                      {utmSource ?? "None"}
                    </a>
                  </td>
                  <td className="max-w-40 truncate">{utmCampaign}</td>
                  <td className="number">{verified}</td>
                  <td className="number">{unverified}</td>
                  <td className="number">{unsubscribed}</td>
                  <td className="number">{invited}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}
