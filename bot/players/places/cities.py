"""Large cities after which no time zone is named, by their zone, and other names of countries.

A city whose name occurs several times stands under the zone of each, so the bot asks which one is meant.
"""

from collections.abc import Mapping
from typing import Final

CITIES: Final[Mapping[str, str]] = {
    # Spain
    "Europe/Madrid": (
        "Barcelona, Valencia, Sevilla, Seville, Zaragoza, Málaga, Murcia, Palma, Palma de Mallorca, Bilbao, Alicante, "
        "Córdoba, Valladolid, Vigo, Gijón, Granada, La Coruña, A Coruña, Vitoria, Santander, San Sebastián, Pamplona, "
        "Almería, Salamanca, León, Mérida, Cartagena, Toledo, Santiago de Compostela, Guadalajara"
    ),
    "Atlantic/Canary": "Las Palmas, Santa Cruz de Tenerife, Tenerife, Gran Canaria, Lanzarote",
    # Mexico and Central America
    "America/Mexico_City": (
        "CDMX, México DF, Guadalajara, Puebla, Toluca, León, Querétaro, San Luis Potosí, Aguascalientes, Veracruz, "
        "Acapulco, Morelia, Oaxaca"
    ),
    "America/Merida": "Campeche",
    "America/Monterrey": "Saltillo, Torreón",
    "America/Mazatlan": "Culiacán, La Paz",
    "America/Tijuana": "Mexicali, Ensenada",
    "America/Guatemala": "Ciudad de Guatemala, Guatemala City",
    "America/Tegucigalpa": "San Pedro Sula",
    "America/Managua": "León, Granada",
    "America/Costa_Rica": "San José",
    "America/Panama": "Ciudad de Panamá, Panama City",
    # the Caribbean
    "America/Havana": "Santiago de Cuba",
    "America/Santo_Domingo": "Santiago de los Caballeros",
    "America/Puerto_Rico": "San Juan",
    "America/Jamaica": "Kingston",
    # South America
    "America/Bogota": "Medellín, Cali, Barranquilla, Cartagena, Bucaramanga, Pereira",
    "America/Caracas": "Maracaibo, Valencia, Barquisimeto, Mérida, Maracay",
    "America/Guayaquil": "Quito, Cuenca",
    "America/Lima": "Arequipa, Trujillo, Cusco, Cuzco",
    "America/La_Paz": "Santa Cruz de la Sierra, Cochabamba, El Alto",
    "America/Santiago": "Santiago de Chile, Valparaíso, Viña del Mar, Concepción, Antofagasta",
    "America/Argentina/Buenos_Aires": "Rosario, La Plata, Mar del Plata, Bahía Blanca, Santa Fe",
    "America/Sao_Paulo": "Rio de Janeiro, Río de Janeiro, Brasilia, Belo Horizonte, Curitiba, Porto Alegre",
    # the United States
    "America/New_York": (
        "NYC, Washington, Washington DC, Boston, Philadelphia, Filadelfia, Miami, Orlando, Atlanta, Baltimore, "
        "Charlotte, Pittsburgh, Cleveland, Columbus, Cincinnati, Tampa, Jacksonville, Georgia, Portland"
    ),
    "America/Chicago": (
        "Houston, Dallas, Austin, San Antonio, New Orleans, Nueva Orleans, Saint Louis, St. Louis, Minneapolis, "
        "Milwaukee, Memphis, Nashville, Kansas City, Oklahoma City, Birmingham"
    ),
    "America/Denver": "Salt Lake City, Albuquerque, El Paso",
    "America/Los_Angeles": (
        "San Francisco, San Diego, San José, Seattle, Las Vegas, Portland, Sacramento, Oakland, Washington"
    ),
    # Canada
    "America/Toronto": "Ottawa, Montreal, Québec, Hamilton",
    "America/Edmonton": "Calgary",
    "America/Winnipeg": "Manitoba",
    # Great Britain and Ireland
    "Europe/London": (
        "Manchester, Birmingham, Liverpool, Leeds, Bristol, Sheffield, Newcastle, Glasgow, Edinburgh, Edimburgo, "
        "Cardiff, Belfast, Oxford, Cambridge"
    ),
    "Europe/Dublin": "Cork, Galway",
    # Australia and New Zealand
    "Australia/Sydney": "Canberra, Newcastle",
    "Australia/Brisbane": "Gold Coast",
    "Pacific/Auckland": "Wellington, Christchurch, Hamilton",
    # Africa and Asia, where English is widely spoken
    "Africa/Johannesburg": "Cape Town, Ciudad del Cabo, Durban, Pretoria",
    "Africa/Lagos": "Abuja, Kano, Ibadan",
    "Asia/Kolkata": "Mumbai, Bombay, Delhi, New Delhi, Nueva Delhi, Bangalore, Chennai, Hyderabad",
    "Asia/Karachi": "Lahore, Islamabad, Hyderabad",
    "Asia/Manila": "Quezon City, Cebu, Davao",
}
"""The cities of each zone, with commas between. Accents and capitals do not matter."""

COUNTRIES: Final[Mapping[str, str]] = {
    "US": "US, USA, United States of America, EEUU, EE.UU., EE. UU.",
    "GB": "UK, Great Britain, Britain, England, Scotland, Wales, Gran Bretaña, Inglaterra, Escocia, Gales",
    "NL": "Holland, Holanda",
    "MX": "Méjico",
    "CZ": "Czech Republic, República Checa",
    "AE": "Emiratos Árabes",
    "CD": "Congo",
    "CG": "Congo",
}
"""Other names of countries, by their codes of ISO 3166."""

LARGEST: Final[Mapping[str, str]] = {
    "AU": "Australia/Sydney",
    "BR": "America/Sao_Paulo",
    "CA": "America/Toronto",
    "RU": "Europe/Moscow",
    "UA": "Europe/Kyiv",
    "UZ": "Asia/Tashkent",
}
"""The zone of a country's largest city, unless ``zone.tab`` lists it first."""

PARTS_OF_AN_HOUR: Final[Mapping[int, str]] = {
    -570: "Pacific/Marquesas",
    210: "Asia/Tehran",
    270: "Asia/Kabul",
    330: "Asia/Kolkata",
    345: "Asia/Kathmandu",
    390: "Asia/Yangon",
    525: "Australia/Eucla",
    570: "Australia/Darwin",
}
"""Zones without summer time and with a part of an hour in their offset from UTC, by that offset in minutes."""
